import { z } from "zod";
import { STORY_LIMIT } from "../../../shared/story-html.ts";
import type { Memory, MemoryChanges } from "./memories.queries.ts";

/** What the form of a memory holds. Messages are keys of `memories:fields.errors`. */
export const MemoryWords = z
  .object({
    kind: z.enum(["tribute", "event"]),
    name: z.string().trim().min(1, "required").max(200, "tooLong"),
    birth: z.string(),
    passing: z.string(),
    eventDate: z.string(),
    /** HTML. */
    story: z.string().max(STORY_LIMIT, "tooLong"),
  })
  .refine(({ kind, birth, passing }) => kind === "event" || !birth || !passing || birth <= passing, {
    path: ["passing"],
    message: "order",
  });
export type MemoryWords = z.infer<typeof MemoryWords>;

export const NO_WORDS: MemoryWords = { kind: "tribute", name: "", birth: "", passing: "", eventDate: "", story: "" };

export const wordsOf = (memory: Memory): MemoryWords => ({
  kind: memory.kind,
  name: memory.person_name,
  birth: memory.birth_date ?? "",
  passing: memory.passing_date ?? "",
  eventDate: memory.event_date ?? "",
  story: memory.description,
});

/** The row that these words make. Dates that could not be kept are left out, so a draft can be saved at any moment. */
export function changesOf(words: MemoryWords): MemoryChanges {
  const inOrder = !words.birth || !words.passing || words.birth <= words.passing;
  return {
    kind: words.kind,
    person_name: words.name.trim().slice(0, 200),
    description: words.story,
    birth_date: words.birth || null,
    passing_date: inOrder ? words.passing || null : null,
    event_date: words.eventDate || null,
  };
}
