import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";

const MAX_LENGTH = 100;

/** Gives a link a name, which only its managers see. */
export function LinkName({ value, onSave }: { value: string; onSave: (label: string) => void }) {
  const { t } = useTranslation("sharing");
  const [label, setLabel] = useState(value);
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(label.trim());
      }}
    >
      <TextField
        label={t("name.label")}
        hint={t("name.hint")}
        value={label}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        onChange={({ target }) => setLabel(target.value)}
      />
      <Button type="submit" size="small" className="justify-self-start">
        {t("name.save")}
      </Button>
    </form>
  );
}
