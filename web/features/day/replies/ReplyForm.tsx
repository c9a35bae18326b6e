import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../../data/day.queries.ts";
import type { DayReply, Question } from "../../../data/day-replies.queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { CheckLine } from "./CheckLine.tsx";
import { NameFields } from "./NameFields.tsx";
import { QuestionField } from "./QuestionField.tsx";
import { fieldsOf, type ReplyFieldError, type ReplyFields, replyFields } from "./reply-fields.ts";

interface ReplyFormProps {
  /** The reply as the form opens with it; null for a new one. */
  stored: DayReply | null;
  /** The name to begin with. */
  name: string;
  /** The parts that ask for a reply. */
  parts: readonly Pick<DayPart, "id" | "title">[];
  questions: readonly Question[];
  /** Whether a manager writes the reply, for which the answer may be open. */
  host?: boolean;
  /** Whether it asks for an email address. */
  asksEmail?: boolean;
  busy: boolean;
  problem: string | undefined;
  onSend: (fields: ReplyFields) => void;
  onCancel: () => void;
}

/** The form of a reply: whether they come, who and to what. */
export function ReplyForm({ stored, name, parts, questions, host = false, asksEmail, ...props }: ReplyFormProps) {
  const { t } = useTranslation("dayReplies");
  const form = useForm<ReplyFields>({
    resolver: zodResolver(replyFields),
    defaultValues: fieldsOf({ stored, name, parts, questions, open: host }),
  });
  const { register, control, formState, watch, setFocus } = form;
  useEffect(() => setFocus("names.0.name"), [setFocus]);
  const answer = watch("answer");
  const errorOf = (field: "answer" | "part_ids" | "note" | "email") => {
    const message = formState.errors[field]?.message as ReplyFieldError | undefined;
    return message && t(`form.errors.${message}`);
  };
  const fieldError = (field: "note" | "email") => {
    const error = errorOf(field);
    return error === undefined ? {} : { error };
  };
  const isAway = answer === "no";
  return (
    <Form
      aria-label={
        host ? (stored ? t("form.hostLabel", { name: stored.names[0] }) : t("form.newLabel")) : t("form.label")
      }
      onSubmit={form.handleSubmit(props.onSend)}
      error={props.problem === undefined ? null : new Error(props.problem)}
      className="rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <Controller
        control={control}
        name="answer"
        render={({ field }) => (
          <div className="grid justify-items-start gap-1.5">
            <span className="font-semibold">{host ? t("form.hostAnswer") : t("form.answer")}</span>
            <SegmentedControl
              label={host ? t("form.hostAnswer") : t("form.answer")}
              value={field.value}
              onChange={field.onChange}
              column="phones"
              options={[
                ...(["yes", "maybe", "no"] as const).map((value) => ({ value, label: t(`answers.${value}`) })),
                ...(host ? [{ value: "" as const, label: t("form.noAnswer") }] : []),
              ]}
            />
            <FieldProblem text={errorOf("answer")} />
          </div>
        )}
      />
      <NameFields form={form} most={host ? null : (stored?.most ?? null)} alone={isAway} host={host} />
      {!isAway && parts.length > 1 && (
        <fieldset className="m-0 min-w-0 border-0 p-0">
          <legend className="p-0 font-semibold">{t("form.parts")}</legend>
          {parts.map(({ id, title }) => (
            <CheckLine key={id} label={title} value={id} {...register("part_ids")} />
          ))}
          <FieldProblem text={errorOf("part_ids")} />
        </fieldset>
      )}
      {!isAway && questions.map((question) => <QuestionField key={question.id} question={question} form={form} />)}
      <TextArea label={t("form.note")} rows={2} {...fieldError("note")} {...register("note")} />
      {asksEmail && (
        <TextField
          type="email"
          label={t("form.email")}
          hint={t("form.emailHint")}
          autoComplete="email"
          {...fieldError("email")}
          {...register("email")}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={props.busy}>
          {host ? t("form.save") : t("form.send")}
        </SubmitButton>
        <Button variant="quiet" onClick={props.onCancel}>
          {t("form.cancel")}
        </Button>
      </div>
    </Form>
  );
}

const FieldProblem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="text-sm font-semibold text-danger-text">
      {text}
    </p>
  );
