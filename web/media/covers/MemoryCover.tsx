import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import { type MemoryDays, skyOf } from "../../../shared/memory-sky.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { CoverPhoto, Memory } from "../../data/memories.queries.ts";
import type { MediaUrls } from "../../data/photo.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Sky } from "../../ui/Sky.tsx";
import { Picture } from "../Picture.tsx";

/** A memory's dates as text; nothing if none is known. */
export function MemoryDates({ memory }: { memory: MemoryDays }) {
  const { t, i18n } = useTranslation("memories");
  const said = saidDates(memory, i18n.language);
  return said ? t(`dates.${said.says}`, { ...said }) : null;
}

/** A memory's dates as text, otherwise its creation date, which distinguishes memories of the same name in a list. */
export function useDatesOrCreated() {
  const { t, i18n } = useTranslation("memories");
  return (memory: MemoryDays & Pick<Memory, "created_at">) => {
    const said = saidDates(memory, i18n.language);
    if (said) return t(`dates.${said.says}`, { ...said });
    return t("list.created", { date: dateText(memory.created_at, localeOf(i18n.language)) });
  };
}

interface CoverProps {
  memory: MemoryDays & Pick<Memory, "id" | "created_at"> & Partial<Pick<Memory, "cover_x" | "cover_y">>;
  cover?: CoverPhoto | null;
  urls: MediaUrls;
  /** The `sizes` attribute. */
  sizes: string;
  eager?: boolean;
  className?: string;
}

/** A memory's cover, or its sky if it has none. */
export function Cover({ memory, cover, urls: { picture, placeholder }, sizes, eager, className }: CoverProps) {
  const { id, created_at, kind, birth_date, passing_date, event_date, cover_x, cover_y } = memory;
  const sky = useMemo(
    () => skyOf({ id, created_at, kind, birth_date, passing_date, event_date }),
    [id, created_at, kind, birth_date, passing_date, event_date],
  );
  if (!cover) return <Sky {...sky} className={className} />;
  return (
    <Picture
      photo={{ colour: cover.colour, placeholder: cover.placeholder ?? placeholder }}
      src={picture && renditionUrl(picture, 960)}
      srcSet={picture && renditionSrcSet(picture, cover.width)}
      focus={focusOf({ cover_x, cover_y })}
      sizes={sizes}
      alt=""
      eager={eager}
      className={className}
    />
  );
}

/** A cover's focal point as CSS `object-position`. */
export const focusOf = ({ cover_x = 0.5, cover_y = 0.5 }: Partial<Pick<Memory, "cover_x" | "cover_y">>) =>
  `${Math.round(cover_x * 1000) / 10}% ${Math.round(cover_y * 1000) / 10}%`;

/** A memory's dates, already formatted; `says` selects the sentence. */
type SaidDates =
  | { says: "life"; first: string; last: string }
  | { says: "born"; first: string }
  | { says: "died"; last: string }
  | { says: "on"; first: string };

/** The known dates of a memory; undefined if there are none. */
export function saidDates(memory: MemoryDays, language: string): SaidDates | undefined {
  const alone = memory.kind === "event" || (memory.birth_date !== null && memory.passing_date !== null);
  const written = (date: ApproximateDate | null) =>
    date ? writtenDate(date, language, { afterVerb: !alone }) : undefined;
  if (memory.kind === "event") {
    const first = written(memory.event_date);
    return first ? { says: "on", first } : undefined;
  }
  const [first, last] = [written(memory.birth_date), written(memory.passing_date)];
  if (first && last) return { says: "life", first, last };
  if (first) return { says: "born", first };
  return last ? { says: "died", last } : undefined;
}
