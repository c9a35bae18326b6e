import { Feather } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCommenter } from "../../actions/commenter.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { type Answers, type MediaAnswer, type Prompt, useAnswerInWords } from "../../data/prompts.queries.ts";
import { RecordButton } from "../../media/recording/RecordButton.tsx";
import type { AddRecording } from "../../media/recording/voice-recorder.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { answering } from "../../media/uploads/answered-prompt.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { toast } from "../../ui/toasts.tsx";
import { PromptAnswers } from "./PromptAnswers.tsx";
import { usePromptText } from "./use-prompt-text.ts";

interface PromptCardProps extends MemoryContext {
  prompt: Prompt;
  answers: Answers;
  pictureOf: (answer: MediaAnswer) => string | undefined;
  /** Adds files to the memory; absent if the reader may not. */
  onFiles: AddRecording | undefined;
  /** The menu of a manager. */
  menu?: ReactNode;
}

/** A prompt with its answers, and the ways to answer it. */
export function PromptCard({ client, memory, rights, prompt, answers, pictureOf, onFiles, menu }: PromptCardProps) {
  const { t } = useTranslation("prompts");
  const text = usePromptText()(prompt);
  const { mayComment, askName } = useCommenter(rights);
  const [writes, setWrites] = useState(false);
  const answer: AddRecording = (files) => onFiles?.(answering(files, prompt.id));
  const write = () => {
    if (mayComment) return setWrites(true);
    // After the visitor has given a name, the form opens without a second press.
    setWrites(true);
    askName?.(() => setWrites(false));
  };
  const isWriting = writes && mayComment;
  const count = answers.media.length + answers.texts.length;
  return (
    <li className="flex h-96 w-72 shrink-0 snap-start flex-col gap-3 rounded-3xl border border-line bg-raised p-5 shadow-soft print:h-auto">
      <div className="flex items-start gap-2">
        <h3 dir="auto" className="min-w-0 grow font-serif text-xl leading-snug wrap-anywhere">
          {text}
        </h3>
        {menu}
      </div>
      <p className="text-sm text-ink-soft">{count === 0 ? t("answersNone") : t("count", { count })}</p>
      {!isWriting && (
        <div
          className="grid min-h-0 grow content-start gap-3 overflow-y-auto"
          {...(count > 0 && { tabIndex: 0, role: "group", "aria-label": text })}
        >
          <PromptAnswers answers={answers} pictureOf={pictureOf} />
        </div>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden print:hidden">
        {onFiles && !isWriting && (
          <>
            <AddPhotosButton variant="quiet" size="small" className="grow" onFiles={answer}>
              {t("photo")}
            </AddPhotosButton>
            <RecordButton memoryId={memory.id} onFiles={answer} />
          </>
        )}
        {(mayComment || askName) && !writes && (
          <Button icon={Feather} variant="quiet" size="small" onClick={write}>
            {t("words")}
          </Button>
        )}
      </div>
      {isWriting && (
        <WordsForm client={client} memoryId={memory.id} promptId={prompt.id} onClosed={() => setWrites(false)} />
      )}
    </li>
  );
}

interface WordsFormProps extends Pick<MemoryContext, "client"> {
  memoryId: string;
  promptId: string;
  onClosed: () => void;
}

const LONGEST = 5000;

function WordsForm({ client, memoryId, promptId, onClosed }: WordsFormProps) {
  const { t } = useTranslation("prompts");
  const [id] = useState(() => crypto.randomUUID());
  const [text, setText] = useState("");
  const save = useAnswerInWords(client, memoryId);
  const [field, setField] = useState<HTMLTextAreaElement | null>(null);
  useEffect(() => field?.focus(), [field]);
  return (
    <Form
      aria-label={t("write.label")}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "" || save.isPending) return;
        const onSuccess = (waits: boolean) => {
          onClosed();
          toast({ title: t(waits ? "write.held" : "write.sent"), tone: "success" });
        };
        save.mutate({ id, promptId, text: text.trim() }, { onSuccess });
      }}
      error={save.isError ? new Error(t("write.failed")) : null}
    >
      <TextArea
        ref={setField}
        label={t("write.label")}
        rows={3}
        maxLength={LONGEST}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("write.send")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("write.cancel")}
        </Button>
      </div>
    </Form>
  );
}
