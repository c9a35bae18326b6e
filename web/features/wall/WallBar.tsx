import { useTranslation } from "react-i18next";
import type { WallCandle, WallHead } from "../../data/wall.queries.ts";
import { WallQr } from "./WallQr.tsx";

interface WallBarProps {
  head: WallHead;
  candles: readonly WallCandle[];
  /** Whether the QR code stands in the middle instead. */
  isEmpty: boolean;
  isLost: boolean;
}

/** The bar below the pictures: whose wall it is, the candles, and the QR code that leads to adding. */
export function WallBar({ head, candles, isEmpty, isLost }: WallBarProps) {
  const { t } = useTranslation("wall");
  const names = candles.flatMap(({ credit }) => credit?.name ?? []);
  const others = (head.candles ?? 0) - names.length;
  // An empty wall has the invitation as its heading.
  const Name = isEmpty ? "p" : "h1";
  const hasQr = head.share_id !== null && !isEmpty;
  return (
    <footer className="flex items-center gap-[clamp(1rem,2.5vmin,2.5rem)] bg-raised p-[clamp(0.5rem,1.6vmin,1.25rem)]">
      <div className="grid min-w-0 grow gap-[0.3em] pl-[clamp(0.25rem,1vmin,1rem)]">
        <Name
          dir="auto"
          className="line-clamp-2 font-serif text-[clamp(1.25rem,3.6vmin,3rem)] leading-tight [overflow-wrap:anywhere]"
        >
          {head.name}
        </Name>
        {head.candles !== null && head.candles > 0 && (
          <p className="flex items-center gap-[0.5em] text-[clamp(0.95rem,2.2vmin,1.75rem)] text-ink-soft">
            <Flame />
            <span dir="auto" className="line-clamp-2 min-w-0">
              {names.length > 0 && others > 0
                ? t("candles.namesAndMore", { names: names.join(", "), count: others })
                : names.length > 0
                  ? names.join(", ")
                  : t("candles.count", { count: head.candles })}
            </span>
          </p>
        )}
      </div>
      {isLost && (
        <p role="status" className="text-[clamp(0.875rem,1.8vmin,1.25rem)] text-ink-soft max-sm:hidden">
          {t("lost")}
        </p>
      )}
      {hasQr && (
        <div className="flex shrink-0 items-center gap-[clamp(0.5rem,1.6vmin,1.5rem)]">
          <p className="max-w-[9em] text-end text-[clamp(1rem,2.4vmin,1.9rem)] leading-tight font-semibold max-sm:hidden">
            {t("add")}
          </p>
          <WallQr
            shareId={head.share_id ?? ""}
            label={t("qr")}
            className="size-[clamp(5.5rem,16vmin,14rem)] rounded-xl"
          />
        </div>
      )}
    </footer>
  );
}

const Flame = () => (
  <svg aria-hidden="true" viewBox="0 0 24 32" className="h-[1.3em] w-[1em] shrink-0">
    <path d="M12 1c1 6 7 9 7 17a7 7 0 0 1-14 0c0-5 3-7 4-10 1 2 2 3 3 3 1-3 0-7 0-10z" fill="#f2a33a" />
    <path
      d="M12 14c.6 3 3.5 4 3.5 7.500a3.500 3.500 0 0 1-7 0c0-2.500 1.500-3.500 2-5 .5 1 1 1.500 1.500 1.500z"
      fill="#ffe39a"
    />
  </svg>
);
