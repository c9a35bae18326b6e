import type { WallWords } from "../../data/wall.queries.ts";
import { classNames } from "../../ui/class-names.ts";

/** A comment, set large enough to be read across a room. Long ones are smaller, and cut at the end. */
export function WallNote({ comment: { body, credit }, large }: { comment: WallWords; large: boolean }) {
  const isLong = body.length > 180;
  return (
    <blockquote
      className={classNames(
        "absolute inset-0 m-0 grid place-content-center gap-[0.6em] overflow-hidden text-center",
        large ? "bg-paper px-[10vw] py-[4vh]" : "bg-raised p-5",
        large
          ? isLong
            ? "text-[clamp(1.25rem,3.4vmin,3rem)]"
            : "text-[clamp(1.5rem,6vmin,5rem)]"
          : isLong
            ? "text-[clamp(0.9rem,1.8vmin,1.5rem)]"
            : "text-[clamp(1rem,2.4vmin,2rem)]",
      )}
    >
      <p
        dir="auto"
        className={classNames(
          "font-serif leading-snug text-balance whitespace-pre-line [overflow-wrap:anywhere]",
          large ? "line-clamp-9" : "line-clamp-6",
        )}
      >
        {body}
      </p>
      {credit && (
        <footer dir="auto" className="truncate text-[0.6em] text-ink-soft">
          {credit.name}
        </footer>
      )}
    </blockquote>
  );
}
