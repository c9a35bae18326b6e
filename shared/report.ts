import { z } from "zod";
import { isMailable } from "./credentials.ts";

/** The reasons for a report. */
export const REASONS = ["hurtful", "private", "not-theirs", "unlawful", "unwanted", "other"] as const;
export type ReportReason = (typeof REASONS)[number];

export const LONGEST_REPORT = 2000;

/** The subject of a report: a memory, or something in it. */
export const Reportable = z.object({ kind: z.enum(["memory", "media", "story", "comment"]), id: z.guid() });
export type Reportable = z.infer<typeof Reportable>;

/** A report to staff about content that the sender can see, with an optional email address for an answer. */
export const Report = Reportable.extend({
  reason: z.enum(REASONS),
  words: z.string().trim().max(LONGEST_REPORT).default(""),
  email: z.string().trim().max(254).refine(isMailable, "Invalid email format").optional(),
});
export type Report = z.input<typeof Report>;
