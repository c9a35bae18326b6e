import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { Question } from "../../../data/day-replies.queries.ts";
import { TextField } from "../../../ui/TextField.tsx";
import { CheckLine } from "./CheckLine.tsx";
import type { ReplyFieldError, ReplyFields } from "./reply-fields.ts";

/** A question of the hosts, to write an answer or to choose. */
export function QuestionField({ question, form }: { question: Question; form: UseFormReturn<ReplyFields> }) {
  const { t } = useTranslation("dayReplies");
  const { id, kind, text, choices } = question;
  const field = form.register(`answers.${id}`);
  if (kind === "text") {
    const message = form.formState.errors.answers?.[id]?.message as ReplyFieldError | undefined;
    return (
      <TextField label={text} autoComplete="off" {...(message && { error: t(`form.errors.${message}`) })} {...field} />
    );
  }
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend dir="auto" className="p-0 font-semibold wrap-anywhere">
        {text}
      </legend>
      {choices.map((choice) => (
        <CheckLine key={choice} one={kind === "one"} label={choice} value={choice} {...field} />
      ))}
    </fieldset>
  );
}
