import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  text?: string;
  /** What can be done with it, beside its title. */
  action?: ReactNode;
  children: ReactNode;
}

/** One part of an affiliate's page. */
export function Section({ title, text, action, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-5 rounded-3xl border border-line bg-raised p-5 sm:p-8"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid gap-1">
          <h2 id={id} className="font-serif text-2xl leading-snug">
            {title}
          </h2>
          {text && <p className="max-w-prose text-ink-soft">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
