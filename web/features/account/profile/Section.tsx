import type { ReactNode } from "react";

interface SectionProps {
  /** The element's id, for links. */
  id: string;
  title: string;
  text: string;
  children: ReactNode;
}

/** A part of the profile; on wide screens its heading is beside the content. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 scroll-mt-24 border-t border-line py-8 first:border-0 first:pt-0 xl:grid-cols-[17rem_minmax(0,1fr)] xl:py-10"
    >
      <div className="grid content-start gap-1">
        <h2 id={`${id}-title`} className="font-serif text-2xl leading-snug">
          {title}
        </h2>
        <p className="text-ink-soft">{text}</p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">{children}</div>
    </section>
  );
}
