import { useTranslation } from "react-i18next";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { CADENCES, type Cadence } from "./notice-settings.queries.ts";

interface CadenceChoiceProps {
  value: Cadence | null;
  onChange: (value: Cadence | null) => void;
  /** The label and explanation of null. */
  usual: string;
  text: string;
}

/** Renders the choice of how often notices are emailed. */
export function CadenceChoice({ value, onChange, usual, text }: CadenceChoiceProps) {
  const { t } = useTranslation("notices");
  const options = CADENCES.map((cadence) => ({ value: cadence, label: t(`settings.mail.${cadence}`) }));
  return (
    <div className="grid justify-items-start gap-2">
      <p className="font-semibold">{t("settings.mail.label")}</p>
      <SegmentedControl<Cadence | "usual">
        label={t("settings.mail.label")}
        column="always"
        value={value ?? "usual"}
        onChange={(chosen) => onChange(chosen === "usual" ? null : chosen)}
        options={[{ value: "usual", label: usual }, ...options]}
      />
      <p className="text-sm text-ink-soft">{text}</p>
    </div>
  );
}
