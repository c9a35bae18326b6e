import { z } from "zod";
import { typedLine } from "../../../../shared/typed-text.ts";
import type { Answer, DayReply, Question, ReplyInput } from "../../../data/day-replies.queries.ts";

export const MOST_PERSONS = 20;
const SIMPLE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Schema of the form of a reply. Messages are keys of `dayReplies:form.errors`. */
export const replyFields = z
  .object({
    answer: z.enum(["yes", "no", "maybe", ""]),
    names: z.array(z.object({ name: z.string().max(200, "nameTooLong") })),
    part_ids: z.array(z.string()),
    note: z.string().trim().max(1000, "noteTooLong"),
    email: z
      .string()
      .trim()
      .refine((email) => email === "" || SIMPLE_EMAIL.test(email), "email"),
    answers: z.record(z.string(), z.union([z.string().max(500, "answerTooLong"), z.array(z.string())])),
    /** Whether hosts write it: for an invitation without an answer. */
    open: z.boolean(),
  })
  .superRefine(({ answer, names, part_ids, open }, context) => {
    const issue = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    if (answer === "" && !open) issue(["answer"], "answer");
    if (typedLine(names[0]?.name ?? "") === "") issue(["names", 0, "name"], "name");
    if ((answer === "yes" || answer === "maybe") && part_ids.length === 0 && !open) issue(["part_ids"], "part");
  });
export type ReplyFields = z.infer<typeof replyFields>;
export type ReplyFieldError = "answer" | "name" | "part" | "nameTooLong" | "noteTooLong" | "answerTooLong" | "email";

interface FieldsOf {
  stored: DayReply | null;
  /** The name to begin with. */
  name: string;
  parts: readonly { id: string }[];
  questions: readonly Question[];
  open: boolean;
}

/** The fields of a stored reply, or of a new one. */
export const fieldsOf = ({ stored, name, parts, questions, open }: FieldsOf): ReplyFields => ({
  answer: stored?.answer ?? "",
  names: (stored?.names ?? [name]).map((one) => ({ name: one })),
  // Who says no has no parts, and may change their mind.
  part_ids: parts.flatMap(({ id }) => (!stored?.part_ids.length || stored.part_ids.includes(id) ? id : [])),
  note: stored?.note ?? "",
  email: "",
  answers: Object.fromEntries(
    questions.map(({ id, kind }) => {
      const answers = stored?.answers[id] ?? [];
      return [id, kind === "several" ? answers : (answers[0] ?? "")];
    }),
  ),
  open,
});

/** The reply to save. With one part there is nothing to choose. */
export function replyOf({ answer, names, part_ids, note, answers }: ReplyFields): Omit<ReplyInput, "revision"> {
  const lists = Object.entries(answers).flatMap(([id, value]) => {
    const list = (Array.isArray(value) ? value : [value]).filter((text) => text.trim() !== "");
    return list.length > 0 ? [[id, list] as const] : [];
  });
  return {
    answer: answer === "" ? null : (answer satisfies Answer),
    names: names.map(({ name }) => typedLine(name)),
    part_ids: answer === "no" ? [] : part_ids,
    note,
    answers: Object.fromEntries(lists),
  };
}
