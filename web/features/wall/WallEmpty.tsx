import { useTranslation } from "react-i18next";
import type { WallHead, WallSettings } from "../../data/wall.queries.ts";
import { LazySky } from "../../media/LazySky.tsx";
import { WallQr } from "./WallQr.tsx";

/** A wall without pictures and words: an invitation to add the first, with a large QR code. */
export function WallEmpty({ head, settings }: { head: WallHead; settings: WallSettings }) {
  const { t } = useTranslation("wall");
  return (
    <div className="relative isolate grid min-h-0 place-content-center justify-items-center overflow-hidden p-6 text-center">
      <div className="absolute inset-0 -z-10">
        <LazySky seed={settings.memory_id} className="size-full" />
      </div>
      <div className="grid max-w-4xl justify-items-center gap-[clamp(1rem,3vmin,2rem)] rounded-3xl bg-raised px-[clamp(1.5rem,5vmin,4rem)] py-[clamp(1.5rem,4vmin,3rem)] shadow-lifted">
        <h1 className="font-serif text-[clamp(1.5rem,5vmin,4rem)] leading-tight text-balance">
          {head.waits
            ? t("empty.reveal")
            : head.share_id === null
              ? t("empty.quiet")
              : settings.shows_pictures
                ? t("empty.photo")
                : t("empty.words")}
        </h1>
        {head.share_id !== null && (
          <WallQr shareId={head.share_id} label={t("qr")} className="size-[clamp(10rem,34vmin,26rem)] rounded-2xl" />
        )}
      </div>
    </div>
  );
}
