import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  text: string;
  children: ReactNode;
}

/** A part of the profile: on wide screens what it is about stands beside what can be done. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-5 border-t border-line py-8 lg:grid-cols-[18rem_1fr] lg:py-10"
    >
      <div className="grid content-start gap-1">
        <h2 id={id} className="font-serif text-2xl leading-snug">
          {title}
        </h2>
        <p className="text-ink-soft">{text}</p>
      </div>
      <div className="grid min-w-0 content-start gap-5">{children}</div>
    </section>
  );
}
