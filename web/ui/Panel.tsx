import { type ReactNode, type Ref, useId } from "react";
import { PartBoundary } from "../lib/browser/part-boundary.ts";
import { classNames } from "./class-names.ts";

interface PanelProps {
  title: string;
  /** A text under the title. */
  text?: string;
  /** Actions beside the title. */
  actions?: ReactNode;
  /** The anchor for links to the panel. */
  id?: string;
  ref?: Ref<HTMLElement>;
  /** For pages of many small panels. */
  compact?: boolean;
  className?: string;
  children: ReactNode;
}

/** A section of a page with a heading, on a separate surface. */
export function Panel({ title, text, actions, id, ref, compact, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      ref={ref}
      id={id}
      aria-labelledby={titleId}
      className={classNames(
        "grid min-w-0 scroll-mt-24 grid-cols-[minmax(0,1fr)] content-start rounded-3xl border border-line bg-raised p-5",
        compact ? "gap-4 sm:p-6" : "gap-5 sm:p-8",
        className,
      )}
    >
      <div
        className={classNames("flex flex-wrap justify-between gap-x-6 gap-y-3", text ? "items-start" : "items-center")}
      >
        <div className="grid min-w-0 gap-1">
          <h2 id={titleId} className={classNames("font-serif", compact ? "text-xl" : "text-2xl leading-snug")}>
            {title}
          </h2>
          {text && <p className="max-w-prose text-ink-soft">{text}</p>}
        </div>
        {actions}
      </div>
      <PartBoundary>{children}</PartBoundary>
    </section>
  );
}
