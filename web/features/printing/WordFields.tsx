import { useTranslation } from "react-i18next";
import { TextArea } from "../../ui/TextArea.tsx";
import { LONGEST, type WordField } from "./print-choices.ts";

interface WordFieldsProps {
  fields: readonly WordField[];
  values: Record<WordField, string>;
  onChange: (field: WordField, value: string) => void;
  onSave: () => void;
}

/** The hosts' or the family's words. They are saved when a field is left. */
export function WordFields({ fields, values, onChange, onSave }: WordFieldsProps) {
  const { t } = useTranslation("printing");
  const labels = {
    title: t("words.title"),
    words: t("words.words"),
    hint: t("words.hint"),
    place_words: t("words.placeWords"),
  };
  return (
    <fieldset className="m-0 grid grid-cols-[minmax(0,1fr)] gap-4 border-0 p-0">
      <legend className="mb-3 font-serif text-2xl">{t("words.legend")}</legend>
      {fields.map((field) => (
        <TextArea
          key={field}
          label={labels[field]}
          rows={field === "words" ? 3 : 1}
          maxLength={LONGEST[field]}
          value={values[field]}
          onChange={({ target }) => onChange(field, target.value)}
          onBlur={onSave}
        />
      ))}
    </fieldset>
  );
}
