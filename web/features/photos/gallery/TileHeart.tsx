import { Heart } from "lucide-react";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../../shared/number-text.ts";
import { classNames } from "../../../ui/class-names.ts";

interface TileHeartProps {
  /** The photo's description. */
  photo: string;
  count: number;
  mine: boolean;
  /** Whether the reader may give a heart; otherwise only the number is shown. */
  givable: boolean;
  /** Whether the tile is in the tab order. */
  current: boolean;
}

const MARK =
  "absolute bottom-0 left-0 flex min-h-11 min-w-11 items-center justify-center gap-1 px-2.5 text-sm text-white tabular-nums [filter:drop-shadow(0_0_2px_rgb(0_0_0/0.9))]";

/** Renders a photo's hearts on its tile. The gallery handles the button's events, as of all tiles. */
export function TileHeart({ photo, count, mine, givable, current }: TileHeartProps) {
  const { t, i18n } = useTranslation("gallery");
  const icon = <Heart aria-hidden className={classNames("size-5", mine && "fill-[#ff6b88] text-[#ff6b88]")} />;
  const number = count > 0 && numberText(count, i18n.language);
  if (!givable) {
    if (count === 0) return null;
    return (
      <span className={classNames(MARK, "pointer-events-none")}>
        {icon}
        <span aria-hidden>{number}</span>
        <span className="sr-only">{t("hearts.count", { count })}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      data-heart
      aria-pressed={mine}
      aria-label={[t("hearts.give", { photo }), count > 0 && t("hearts.count", { count })].filter(Boolean).join(", ")}
      tabIndex={current ? 0 : -1}
      className={classNames(
        MARK,
        "cursor-pointer rounded-md",
        // With a mouse, the hearts of photos without any appear on hover and focus.
        count === 0 &&
          "opacity-0 group-hover/tile:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-90",
      )}
    >
      {icon}
      {number && <span aria-hidden>{number}</span>}
    </button>
  );
}
