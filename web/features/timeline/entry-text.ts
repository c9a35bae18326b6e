import { z } from "zod";
import { exactDay } from "../../../shared/approximate-date.ts";
import type { Entry, EntryText } from "../../data/timeline.queries.ts";
import { dateOrNull } from "../../ui/date-text.ts";

/** What the form of an entry holds. Messages are keys of `stories:entry.errors`. */
const shape = z.object({
  title: z.string().trim().min(1, "required").max(200, "tooLong"),
  /** A `TypedDate`. */
  date: z.string(),
  time: z.string(),
  place: z.string().trim().max(200, "tooLong"),
  note: z.string().trim().max(2000, "tooLong"),
  media: z.string().nullable(),
});
export type EntryFields = z.infer<typeof shape>;

/** A moment of a life has at least a year; a part of a programme may have a time, and a day if it is another one. */
export const entryFields = (kind: "tribute" | "event") =>
  kind === "event"
    ? shape
    : shape
        .refine(({ date }) => date !== "" && date !== "?year", { path: ["date"], message: "year" })
        .refine(({ date }) => date !== "?day", { path: ["date"], message: "day" });

export const NO_FIELDS: EntryFields = { title: "", date: "", time: "", place: "", note: "", media: null };

export const fieldsOf = (entry: Entry): EntryFields => ({
  title: entry.title,
  date: entry.on_date ?? "",
  time: entry.starts_at?.slice(0, "HH:MM".length) ?? "",
  place: entry.place,
  note: entry.note,
  media: entry.media_id,
});

/** The row that these fields make. */
export function entryOf(kind: "tribute" | "event", { title, date, time, place, note, media }: EntryFields): EntryText {
  const words = { title, place, note, media_id: media };
  if (kind === "event") return { ...words, on_date: exactDay(date) ?? null, starts_at: time || null };
  return { ...words, on_date: dateOrNull(date), starts_at: null };
}
