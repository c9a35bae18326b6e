import { X } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePictured } from "../../../actions/pictured.ts";
import type { PhotoAnswer } from "../../../data/letters.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { DateForm } from "../../../media/DateForm.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { PersonField } from "../people/PersonField.tsx";
import type { ChosenPerson } from "../people/use-naming.ts";
import { dateInAnswer } from "./date-in-answer.ts";
import type { useAccept } from "./use-accept.ts";

interface AcceptDialogProps {
  context: Pick<MemoryContext, "client" | "memory">;
  answer: PhotoAnswer;
  accept: ReturnType<typeof useAccept>;
  onClose: () => void;
}

/** Accepts an answer: names people, sets the photo's date, or adds to its caption. What was answered is filled in. */
export default function AcceptDialog({ context, answer, accept, onClose }: AcceptDialogProps) {
  const { t } = useTranslation("questions");
  const { about, letter, photo } = answer;
  const then = (done: Promise<boolean>) => void done.then((isDone) => isDone && onClose());
  return (
    <Dialog
      open
      title={t(about === "who" ? "accept.who" : about === "when" ? "accept.when" : "accept.where")}
      description={t("accept.whoText", { name: letter?.recipient ?? "", answer: answer.answer })}
      onOpenChange={onClose}
    >
      {about === "who" ? (
        <NameForm context={context} answer={answer.answer} onSave={(people) => then(accept.name(people))} />
      ) : about === "when" ? (
        <DateForm
          date={dateInAnswer(answer.answer) ?? photo.taken_at}
          removable={false}
          onSave={(date) => then(accept.date(date))}
          onCancel={onClose}
        />
      ) : (
        <CaptionForm
          initial={[photo.caption, answer.answer].filter(Boolean).join(" · ")}
          onSave={(caption) => then(accept.caption(caption))}
        />
      )}
    </Dialog>
  );
}

interface NameFormProps {
  context: Pick<MemoryContext, "client" | "memory">;
  answer: string;
  onSave: (people: readonly ChosenPerson[]) => void;
}

function NameForm({ context, answer, onSave }: NameFormProps) {
  const { t } = useTranslation("questions");
  const pictured = usePictured(context);
  const [people, setPeople] = useState<readonly ChosenPerson[]>([]);
  const without = (person: ChosenPerson) => people.filter(({ id }) => id !== person.id);
  return (
    <div className="grid gap-5">
      {people.length > 0 && (
        <ul aria-label={t("accept.chosen")} className="m-0 flex list-none flex-wrap gap-2 p-0">
          {people.map((person) => (
            <li key={person.id} className="max-w-full">
              <Button
                variant="quiet"
                size="small"
                aria-label={t("accept.remove", { name: person.name })}
                onClick={() => setPeople(without(person))}
              >
                <span dir="auto" className="truncate">
                  {person.name}
                </span>
                <X aria-hidden className="size-4 shrink-0" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PersonField
        label={t("accept.whoField")}
        people={pictured.people}
        begins
        initial={answer}
        onChoose={(person) => setPeople([...without(person), person])}
      />
      <Button size="large" disabled={people.length === 0} className="justify-self-start" onClick={() => onSave(people)}>
        {t("accept.save")}
      </Button>
    </div>
  );
}

function CaptionForm({ initial, onSave }: { initial: string; onSave: (caption: string) => void }) {
  const { t } = useTranslation("questions");
  const [caption, setCaption] = useState(initial);
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSave(caption);
  };
  return (
    <form noValidate onSubmit={save} className="grid gap-5">
      <TextArea
        label={t("accept.caption")}
        value={caption}
        maxLength={2000}
        rows={2}
        onChange={({ target }) => setCaption(target.value)}
      />
      <SubmitButton size="medium" className="justify-self-start">
        {t("accept.save")}
      </SubmitButton>
    </form>
  );
}
