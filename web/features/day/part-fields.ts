import { z } from "zod";
import { localTimeIn, momentOf } from "../../../shared/zoned-time.ts";
import type { PartBase, PartFacts, PartKind } from "../../data/day.queries.ts";

/** The kinds of parts to choose from. */
export const PART_KINDS: Record<"tribute" | "event", readonly [PartKind, ...PartKind[]]> = {
  tribute: ["service", "visitation", "burial", "reception", "other"],
  event: ["ceremony", "reception", "dinner", "party", "other"],
};

const text = (longest: number) => z.string().trim().max(longest, "tooLong");
const url = z
  .string()
  .trim()
  .regex(/^(https?:\/\/\S{1,1000})?$/i, "url");

/** Schema of the form of a part. Messages are keys of `day:edit.errors`. */
export const partFields = z
  .object({
    part: z.enum(["visitation", "service", "burial", "ceremony", "reception", "dinner", "party", "other"]),
    title: text(200),
    on_date: z.string().regex(/^\d{4}-\d\d-\d\d$/, "day"),
    starts_at: z.string(),
    ends_at: z.string(),
    doors_at: z.string(),
    time_zone: z.string(),
    place: text(200),
    address: text(500),
    map_url: url,
    directions: text(1000),
    parking: text(1000),
    accessibility: text(1000),
    dress: text(500),
    gifts: text(1000),
    gifts_url: url,
    contact: text(500),
    note: text(2000),
    audience: z.enum(["all", "members"]),
    stream_url: url,
    /** Local time, `YYYY-MM-DDTHH:MM`. */
    stream_from: z.string(),
  })
  .refine(({ starts_at, ends_at, doors_at }) => starts_at || !(ends_at || doors_at), {
    path: ["starts_at"],
    message: "start",
  });
export type PartFields = z.infer<typeof partFields>;
export type FieldError = "day" | "start" | "tooLong" | "url";

/** The fields of a new part: on the memory's day, in the reader's time zone. */
export const newFields = (part: PartKind, onDate: string | null, zone: string): PartFields => ({
  part,
  title: "",
  on_date: onDate && /^\d{4}-\d\d-\d\d$/.test(onDate) ? onDate : "",
  starts_at: "",
  ends_at: "",
  doors_at: "",
  time_zone: zone,
  place: "",
  address: "",
  map_url: "",
  directions: "",
  parking: "",
  accessibility: "",
  dress: "",
  gifts: "",
  gifts_url: "",
  contact: "",
  note: "",
  audience: "all",
  stream_url: "",
  stream_from: "",
});

const clockField = (time: string | null) => time?.slice(0, "HH:MM".length) ?? "";
const storedTime = (time: string) => (time ? time.slice(0, "HH:MM".length).padEnd("HH:MM:SS".length, ":00") : null);

/** The form's fields for a stored part; a title that only names the kind is left empty. */
export const fieldsOf = (stored: PartBase, kindName: string): PartFields => {
  const { id: _id, revision: _revision, ...facts } = stored;
  return {
    ...facts,
    title: facts.title === kindName ? "" : facts.title,
    starts_at: clockField(facts.starts_at),
    ends_at: clockField(facts.ends_at),
    doors_at: clockField(facts.doors_at),
    stream_from: facts.stream_from === null ? "" : localTimeIn(facts.time_zone, new Date(facts.stream_from)),
  };
};

/**
 * The values to store. A livestream without a time is shown from now on: readers learn by `stream_from` that there is one.
 */
export function factsOf(fields: PartFields, kindName: string, now: Date): PartFacts {
  const { title, stream_from, stream_url } = fields;
  const from = stream_from ? momentOf(stream_from, fields.time_zone) : now;
  return {
    ...fields,
    title: title || kindName,
    starts_at: storedTime(fields.starts_at),
    ends_at: storedTime(fields.ends_at),
    doors_at: storedTime(fields.doors_at),
    // As the database writes moments, so that an unchanged one is no change.
    stream_from: stream_url ? `${from.toISOString().slice(0, "YYYY-MM-DDTHH:MM".length)}:00+00:00` : null,
  };
}
