import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Prompt, PromptConflict, useSavePrompt } from "../../data/prompts.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { SUGGESTIONS, type Suggestion } from "./suggestions.ts";
import { usePromptText } from "./use-prompt-text.ts";

interface PromptFormProps {
  client: SupabaseClient;
  memory: { id: string; kind: "tribute" | "event" };
  /** The prompt to change; absent for a new one. */
  stored?: Prompt | undefined;
  /** Suggestions that the memory has already. */
  used: ReadonlySet<string | null>;
  onClosed: () => void;
}

const LONGEST = 200;

/** The form for a prompt: chosen from the suggestions or written. */
export default function PromptForm({ client, memory, stored, used, onClosed }: PromptFormProps) {
  const { t } = useTranslation("prompts");
  const textOf = usePromptText();
  const save = useSavePrompt(client, memory.id);
  const [text, setText] = useState(stored ? textOf(stored) : "");
  const [isEmpty, setEmpty] = useState(false);
  const onSuccess = onClosed;

  function submit(event: FormEvent) {
    event.preventDefault();
    const trimmed = text.trim();
    setEmpty(trimmed === "");
    if (trimmed === "" || save.isPending) return;
    const suggestion = SUGGESTIONS[memory.kind].find((key) => t(`suggestions.${key}`) === trimmed) ?? null;
    save.mutate({ ...(stored && { stored }), text: trimmed, suggestion }, { onSuccess });
  }
  const choose = (suggestion: Suggestion) => {
    if (!save.isPending) save.mutate({ text: t(`suggestions.${suggestion}`), suggestion }, { onSuccess });
  };

  const offered = stored ? [] : SUGGESTIONS[memory.kind].filter((key) => !used.has(key));
  return (
    <Form
      aria-label={stored ? t("form.editTitle") : t("form.title")}
      onSubmit={submit}
      error={save.isError ? new Error(t(save.error instanceof PromptConflict ? "form.conflict" : "form.failed")) : null}
    >
      {offered.length > 0 && (
        <fieldset className="m-0 grid min-w-0 gap-2 border-0 p-0">
          <legend className="p-0 pb-2 font-semibold">{t("form.choose")}</legend>
          {offered.map((key) => (
            <Button key={key} variant="quiet" className="justify-self-start text-start" onClick={() => choose(key)}>
              {t(`suggestions.${key}`)}
            </Button>
          ))}
        </fieldset>
      )}
      <TextField
        label={offered.length > 0 ? t("form.own") : t("form.editTitle")}
        hint={t("form.hint")}
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
        {...(isEmpty && { error: t("form.empty") })}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("form.save")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("form.cancel")}
        </Button>
      </div>
    </Form>
  );
}
