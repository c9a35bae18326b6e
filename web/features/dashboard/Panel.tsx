import { type ReactNode, useId } from "react";
import { classNames } from "../../ui/class-names.ts";

interface PanelProps {
  title: string;
  /** What is said under the title. */
  text?: string;
  /** Its place on the page, for links to it. */
  id?: string;
  className?: string;
  children: ReactNode;
}

/** One part of the dashboard. */
export function Panel({ title, text, id, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={classNames(
        "grid min-w-0 scroll-mt-24 content-start gap-5 rounded-3xl border border-line bg-raised p-5 sm:p-8",
        className,
      )}
    >
      <div className="grid gap-1">
        <h2 id={titleId} className="font-serif text-2xl leading-snug">
          {title}
        </h2>
        {text && <p className="max-w-prose text-ink-soft">{text}</p>}
      </div>
      {children}
    </section>
  );
}
