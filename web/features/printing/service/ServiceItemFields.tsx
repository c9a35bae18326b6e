import { useTranslation } from "react-i18next";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import type { ServiceItem } from "./service.queries.ts";

const LONGEST = { title: 200, by: 200, text: 10_000 } as const;

interface ServiceItemFieldsProps {
  item: ServiceItem;
  onChange: (changes: Partial<ServiceItem>) => void;
  onSave: () => void;
}

/** The fields of an entry. They are saved when one is left. */
export function ServiceItemFields({ item, onChange, onSave }: ServiceItemFieldsProps) {
  const { t } = useTranslation("printing");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4">
      <TextField
        label={t("service.title")}
        placeholder={t(`service.examples.${item.kind}`)}
        maxLength={LONGEST.title}
        value={item.title}
        onChange={({ target }) => onChange({ title: target.value })}
        onBlur={onSave}
      />
      <TextField
        label={t("service.by")}
        hint={t("service.byHint")}
        maxLength={LONGEST.by}
        value={item.by}
        onChange={({ target }) => onChange({ by: target.value })}
        onBlur={onSave}
      />
      <TextArea
        label={t("service.textLabel")}
        hint={t("service.textHint")}
        rows={5}
        maxLength={LONGEST.text}
        value={item.text}
        onChange={({ target }) => onChange({ text: target.value })}
        onBlur={onSave}
      />
    </div>
  );
}
