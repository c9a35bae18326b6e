import { z } from "zod";
import { typedLine } from "../../../../shared/typed-text.ts";
import { localTimeIn, momentOf } from "../../../../shared/zoned-time.ts";
import type { ReplySettings, ReplySettingsInput } from "../../../data/day-replies.queries.ts";

const MOST_PLACES = 100_000;
export const MOST_QUESTIONS = 8;
const MOST_CHOICES = 12;
const LONGEST_CHOICE = 100;

const linesOf = (text: string) => [...new Set(text.split("\n").map(typedLine).filter(Boolean))];

const question = z
  .object({
    id: z.string(),
    kind: z.enum(["text", "one", "several"]),
    text: z.string().trim().min(1, "question").max(200, "tooLong"),
    /** The choices, one in each line. */
    choices: z.string(),
  })
  .superRefine(({ kind, choices }, context) => {
    if (kind === "text") return;
    const lines = linesOf(choices);
    const wrong =
      lines.length < 2 || lines.length > MOST_CHOICES
        ? "choices"
        : lines.some((line) => line.length > LONGEST_CHOICE) && "tooLong";
    if (wrong) context.addIssue({ code: "custom", path: ["choices"], message: wrong });
  });

/** Schema of the form of settings. Messages are keys of `dayReplies:settings.errors`. */
export const settingsFields = z.object({
  part_ids: z.array(z.string()),
  /** Local time, `YYYY-MM-DDTHH:MM`; empty for no closing time. */
  closes: z.string().regex(/^(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?$/, "time"),
  time_zone: z.string(),
  /** Empty for no limit. */
  places: z
    .string()
    .trim()
    .refine((text) => text === "" || (/^\d{1,6}$/.test(text) && +text >= 1 && +text <= MOST_PLACES), "places"),
  waiting_list: z.boolean(),
  questions: z.array(question).max(MOST_QUESTIONS),
});
export type SettingsFields = z.infer<typeof settingsFields>;
export type SettingsFieldError = "places" | "time" | "question" | "choices" | "tooLong";

/** The fields of stored settings, or of new ones: for all parts, in the zone of the first one. */
export function fieldsOfSettings(
  stored: ReplySettings | null,
  parts: readonly { id: string; asks_replies: boolean; time_zone: string }[],
): SettingsFields {
  const asking = parts.filter(({ asks_replies }) => asks_replies);
  const zone = stored?.closes_at ? stored.time_zone : (parts[0]?.time_zone ?? "UTC");
  return {
    part_ids: (asking.length > 0 ? asking : parts).map(({ id }) => id),
    closes: stored?.closes_at ? localTimeIn(zone, new Date(stored.closes_at)) : "",
    time_zone: zone,
    places: stored?.places?.toString() ?? "",
    waiting_list: stored?.waiting_list ?? true,
    questions: (stored?.questions ?? []).map(({ choices, ...fields }) => ({ ...fields, choices: choices.join("\n") })),
  };
}

/** The settings to save. */
export const settingsOf = (
  { part_ids, closes, time_zone, places, waiting_list, questions }: SettingsFields,
  stored: ReplySettings | null,
): ReplySettingsInput => ({
  part_ids,
  closes_at: closes ? momentOf(closes.slice(0, "YYYY-MM-DDTHH:MM".length), time_zone).toISOString() : null,
  time_zone,
  places: places === "" ? null : Number(places),
  waiting_list,
  questions: questions.map(({ choices, ...fields }) => ({
    ...fields,
    choices: fields.kind === "text" ? [] : linesOf(choices),
  })),
  revision: stored?.revision ?? null,
});
