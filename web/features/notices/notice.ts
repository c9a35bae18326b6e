import type { Row } from "../../../shared/database.ts";
import { paths } from "../../paths.ts";

export type Notice = Pick<
  Row<"notices">,
  | "id"
  | "kind"
  | "memory_id"
  | "comment_id"
  | "story_id"
  | "media_id"
  | "actor_name"
  | "count"
  | "created_at"
  | "read_at"
> & {
  memories: { person_name: string } | null;
  share_links: { album_id: string | null } | null;
  /** The photo that the notice is about, while the reader may see it. */
  media: Pick<Row<"media">, "type" | "object_name" | "poster_name" | "placeholder"> | null;
};

/** Returns the URL of a notice's subject: a comment, story or photo, held items, a memory or album, or the storage. */
export function placeOf(notice: Omit<Notice, "actor_name">): string {
  const { kind, memory_id, comment_id, story_id, media_id, share_links } = notice;
  if (memory_id && comment_id) return paths.comment(memory_id, comment_id, media_id ?? undefined);
  if (memory_id && media_id) return paths.photo(memory_id, media_id);
  if (memory_id && story_id) return paths.story(memory_id, story_id);
  if (memory_id) return kind === "held" ? paths.waiting(memory_id) : paths.memory(memory_id);
  return share_links?.album_id ? paths.album(share_links.album_id) : paths.dashboard();
}

export interface NoticeDay {
  /** The calendar day on which the notices were created, in the reader's time zone, as `2026-03-09`. */
  day: string;
  notices: Notice[];
}

const dayOf = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");

/** Groups notices by day, in the given order. */
export function byDay(notices: readonly Notice[]): NoticeDay[] {
  const days: NoticeDay[] = [];
  for (const notice of notices) {
    const day = dayOf(new Date(notice.created_at));
    const last = days.at(-1);
    if (last?.day === day) last.notices.push(notice);
    else days.push({ day, notices: [notice] });
  }
  return days;
}

/** Formats a day as "today", "yesterday" or its date, in the locale's language. */
export function dayName(day: string, now: Date, locale: string): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (day === dayOf(now)) return relative.format(0, "day");
  if (day === dayOf(yesterday)) return relative.format(-1, "day");
  const options = { weekday: "long", day: "numeric", month: "long" } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(`${day}T12:00:00`));
}
