import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { LightboxArrow } from "./LightboxArrow.tsx";

interface LightboxFootProps {
  photo: Photo;
  previous: Photo | undefined;
  next: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
}

/** What is written of the open photo, and when it was taken; on a phone also the ways on. */
export function LightboxFoot({ photo, previous, next, onMove }: LightboxFootProps) {
  const { t, i18n } = useTranslation("media");
  const date = photo.taken_at && writtenDate(photo.taken_at, i18n.language);
  return (
    <div className="col-start-1 row-start-3 flex min-h-14 items-center justify-between gap-2 px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <LightboxArrow side="left" to={previous} onMove={onMove} className="sm:hidden" />
      <div className="grid max-h-[30dvh] grow justify-items-center gap-0.5 overflow-y-auto py-1 text-center">
        {photo.caption && (
          <p className="max-w-[44rem] font-serif text-lg leading-snug whitespace-pre-line">{photo.caption}</p>
        )}
        {date && <p className="text-sm text-white/75">{t("lightbox.taken", { date })}</p>}
      </div>
      <LightboxArrow side="right" to={next} onMove={onMove} className="sm:hidden" />
    </div>
  );
}
