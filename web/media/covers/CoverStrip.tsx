import { type ReactNode, useId } from "react";
import { Link } from "react-router";

interface StripItem {
  id: string;
  to: string;
  name: string;
  fact: ReactNode;
  cover: ReactNode;
}

/** How wide a cover of the strip is shown, for its `sizes`. */
export const STRIP_SIZES = "224px";

/** A titled row of small covers that scrolls sideways. */
export function CoverStrip({ title, action, items }: { title: string; action?: ReactNode; items: StripItem[] }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id={titleId} className="font-serif text-2xl">
          {title}
        </h2>
        {action}
      </div>
      <ul className="-mx-4 flex snap-x gap-4 overflow-x-auto px-4 pb-2 sm:-mx-6 sm:px-6">
        {items.map(({ id, to, name, fact, cover }) => (
          <li key={id} className="w-56 shrink-0 snap-start scroll-ms-4 sm:scroll-ms-6">
            <Link to={to} className="group grid gap-2 rounded-2xl text-ink no-underline">
              <span className="relative block aspect-3/2 overflow-hidden rounded-2xl bg-night shadow-soft transition-shadow duration-300 ease-out group-hover:shadow-lifted">
                <span className="absolute inset-0">{cover}</span>
              </span>
              <span className="grid px-1">
                <span dir="auto" className="truncate font-serif text-xl">
                  {name}
                </span>
                <span className="truncate text-sm text-ink-soft">{fact}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
