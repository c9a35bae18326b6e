import type { CSSProperties, ReactNode } from "react";
import type { CoverPhoto } from "../../data/memories.queries.ts";
import { classNames } from "../../ui/class-names.ts";

/** The shape of a photo whose size is not stored. */
const USUAL_RATIO = 3 / 2;

interface CoverHeadProps {
  /** The photo that `picture` shows; without one it is a sky, which the text may cover. */
  cover: Pick<CoverPhoto, "colour" | "width" | "height"> | null | undefined;
  /** The cover or sky; it fills its box. */
  picture: ReactNode;
  /** The name and what belongs to it. */
  children: ReactNode;
  /** The actions below the name. */
  actions?: ReactNode;
  className?: string;
}

/**
 * The head of a page: its cover and its name. The name never covers a photo, because a face may be anywhere in it: it has
 * its own ground, under the photo on narrow screens and beside it on wide ones. `--hero` is the head's least height, and
 * `--cover` the greatest height of the photo on narrow screens; `--head-name` is the font size of its name.
 */
// Not a `header` element: the content below would cover its open menu.
export function CoverHead({ cover, picture, children, actions, className }: CoverHeadProps) {
  const ratio = cover?.width && cover.height ? cover.width / cover.height : USUAL_RATIO;
  const ground = `color-mix(in srgb, ${cover?.colour ?? "var(--color-night)"} 30%, var(--color-night))`;
  // The same elements with and without a cover, which may arrive while a window of the actions is open.
  return (
    <div
      style={cover ? ({ "--ratio": Math.round(ratio * 1000) / 1000, backgroundColor: ground } as CSSProperties) : {}}
      className={classNames(
        "relative isolate grid overflow-hidden text-white",
        cover
          ? "@container grid-cols-[minmax(0,1fr)] lg:min-h-(--hero) lg:grid-cols-[minmax(0,1fr)_clamp(38%,var(--hero)*var(--ratio),60%)] lg:[--head-name:clamp(2.25rem,4vw,3.75rem)]"
          : "min-h-(--hero) items-end bg-night",
        className,
      )}
    >
      {/* As much of the photo as fits: all of one that lies, the part around the focal point of one that stands. */}
      <div
        className={
          cover
            ? "relative h-[clamp(min(12rem,var(--cover)),100cqw/var(--ratio),var(--cover))] lg:order-last lg:h-full"
            : "absolute inset-0 -z-20"
        }
      >
        <div className="absolute inset-0">{picture}</div>
      </div>
      {/* The shade over a sky reaches as far up as the text, which a long name makes tall. */}
      <div
        className={
          cover ? "contents" : "bg-linear-to-t from-black/70 via-black/30 via-[calc(100%-6rem)] to-transparent"
        }
      >
        <div
          className={
            cover
              ? "page-width-start grid grid-cols-[minmax(0,1fr)] content-end gap-3 pt-5 pb-6 sm:pb-8 lg:pt-10"
              : "page-width grid gap-3 pt-[min(6rem,var(--hero)/4)] pb-6 sm:pb-10"
          }
        >
          {children}
          {/* Beside a photo, room for two rows of buttons, so that the name stays where it is when they come. */}
          {actions && <div className={cover ? "lg:min-h-28" : undefined}>{actions}</div>}
        </div>
      </div>
    </div>
  );
}
