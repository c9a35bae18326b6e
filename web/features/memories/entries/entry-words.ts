import { z } from "zod";
import type { Entry, EntryWords } from "./entries.queries.ts";

/** What the form of an entry holds. Messages are keys of `stories:entry.errors`. */
const shape = z.object({
  title: z.string().trim().min(1, "required").max(200, "tooLong"),
  year: z.string().trim(),
  /** 1 to 12, or empty. */
  month: z.string(),
  day: z.string().trim(),
  time: z.string(),
  date: z.string(),
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
        .refine(({ year }) => /^\d{1,4}$/.test(year) && Number(year) > 0, { path: ["year"], message: "year" })
        .refine((fields) => !fields.day || isDay(fields), { path: ["day"], message: "day" });

const padded = (value: string, length: number) => value.padStart(length, "0");

function isDay({ year, month, day }: Pick<EntryFields, "year" | "month" | "day">): boolean {
  if (!month || !/^\d{1,2}$/.test(day)) return false;
  const iso = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  const date = new Date(`${iso}T12:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}

export const NO_FIELDS: EntryFields = {
  title: "",
  year: "",
  month: "",
  day: "",
  time: "",
  date: "",
  place: "",
  note: "",
  media: null,
};

export function fieldsOf(entry: Entry): EntryFields {
  const [year = "", month = "", day = ""] = entry.on_date?.split("-") ?? [];
  const { date_precision: known } = entry;
  return {
    title: entry.title,
    year: year && String(Number(year)),
    month: known === "year" ? "" : month && String(Number(month)),
    day: known === "day" ? day && String(Number(day)) : "",
    time: entry.starts_at?.slice(0, "HH:MM".length) ?? "",
    date: entry.on_date ?? "",
    place: entry.place,
    note: entry.note,
    media: entry.media_id,
  };
}

/** The row that these fields make. */
export function entryOf(kind: "tribute" | "event", fields: EntryFields): EntryWords {
  const { title, year, month, day, time, date, place, note, media } = fields;
  const words = { title, place, note, media_id: media };
  if (kind === "event") return { ...words, on_date: date || null, date_precision: "day", starts_at: time || null };
  const date_precision = day ? "day" : month ? "month" : "year";
  const on_date = `${padded(year, 4)}-${padded(month || "1", 2)}-${padded(day || "1", 2)}`;
  return { ...words, on_date, date_precision, starts_at: null };
}
