import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { newName, personValues } from "./person-choices.ts";
import type { PersonValues } from "./use-manage-people.ts";

interface PersonDialogProps {
  person: PicturedPerson;
  onSave: (person: PicturedPerson, values: PersonValues) => void;
  onClose: () => void;
}

/** Renders the form of a person's names and years. */
export function PersonDialog({ person, onSave, onClose }: PersonDialogProps) {
  const { t } = useTranslation("pictured");
  // The person may change behind the form; what is saved is based on the one that was opened.
  const [base] = useState(person);
  const [name, setName] = useState(base.name);
  const [others, setOthers] = useState(base.ownOtherNames.join(", "));
  const [born, setBorn] = useState(String(base.bornYear ?? ""));
  const [died, setDied] = useState(String(base.diedYear ?? ""));
  const [tried, setTried] = useState(false);
  const { values, faults } = personValues({ name, others, born, died });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!values) return;
    onSave(base, values);
    onClose();
  };
  const error = (fault: keyof typeof faults) =>
    tried && faults[fault] ? { error: t(`person.faults.${faults[fault]}`) } : {};
  return (
    <Dialog title={t("person.edit")} open onOpenChange={(open) => !open && onClose()}>
      <form onSubmit={onSubmit} noValidate className="grid gap-5">
        <TextField
          label={t("name")}
          value={name}
          {...error("name")}
          data-begin-here
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t("person.others")}
          hint={t("person.othersHint")}
          value={others}
          {...error("others")}
          autoComplete="off"
          onChange={({ target }) => setOthers(target.value)}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t("person.born")}
            value={born}
            {...error("born")}
            inputMode="numeric"
            autoComplete="off"
            onChange={({ target }) => setBorn(target.value)}
          />
          <TextField
            label={t("person.died")}
            value={died}
            {...error("died")}
            inputMode="numeric"
            autoComplete="off"
            onChange={({ target }) => setDied(target.value)}
          />
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            {t("person.cancel")}
          </Button>
          <Button type="submit" aria-disabled={newName(name) === undefined || undefined}>
            {t("person.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
