import { z } from "zod";
import { isCertainlyBefore, parseDate } from "../../../shared/approximate-date.ts";
import { STORY_LIMIT } from "../../../shared/story-html.ts";
import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { dateOrNull } from "../../ui/date-text.ts";

/** A `TypedDate`. */
const typed = z
  .string()
  .refine((date) => date !== "?year", "year")
  .refine((date) => date !== "?day", "day");

/** The values of the memory form. Messages are keys of `memories:fields.errors`. */
export const MemoryFormValues = z
  .object({
    kind: z.enum(["tribute", "event"]),
    name: z.string().trim().min(1, "required").max(200, "tooLong"),
    birth: typed,
    passing: typed,
    eventDate: typed,
    /** HTML. */
    story: z.string().max(STORY_LIMIT, "tooLong"),
  })
  .refine(({ kind, birth, passing }) => kind === "event" || !isCertainlyBefore(passing, birth), {
    path: ["passing"],
    message: "order",
  });
export type MemoryFormValues = z.infer<typeof MemoryFormValues>;

export const EMPTY_FORM: MemoryFormValues = {
  kind: "tribute",
  name: "",
  birth: "",
  passing: "",
  eventDate: "",
  story: "",
};

export const formValuesOf = (memory: Memory): MemoryFormValues => ({
  kind: memory.kind,
  name: memory.person_name,
  birth: memory.birth_date ?? "",
  passing: memory.passing_date ?? "",
  eventDate: memory.event_date ?? "",
  story: memory.description,
});

/** The row for these values. Invalid dates are left out, so that a draft can be saved at any time. */
export function changesOf(values: MemoryFormValues): MemoryChanges {
  const inOrder = !isCertainlyBefore(values.passing, values.birth);
  return {
    kind: values.kind,
    person_name: values.name.trim().slice(0, 200),
    description: values.story,
    birth_date: dateOrNull(values.birth),
    passing_date: inOrder ? dateOrNull(values.passing) : null,
    event_date: dateOrNull(values.eventDate),
  };
}

/** The form's fields of a row's columns. */
const FIELDS = {
  kind: "kind",
  person_name: "name",
  birth_date: "birth",
  passing_date: "passing",
  event_date: "eventDate",
  description: "story",
} as const;
export type FormColumn = keyof typeof FIELDS;

/** The form's values of these columns of a row. */
export const formValuesIn = (row: MemoryChanges, columns: readonly FormColumn[]): Partial<MemoryFormValues> =>
  Object.fromEntries(columns.map((name) => [FIELDS[name], row[name] ?? ""]));

/** The years between two dates, as far as both are known. */
export function yearsOfLife(birth: string, passing: string): number | undefined {
  const [from, to] = [parseDate(birth), parseDate(passing)];
  return from && to && to.year - from.year;
}
