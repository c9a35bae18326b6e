import { useTranslation } from "react-i18next";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { DESIGNS } from "./lay-out-cards.ts";
import type { Choices } from "./print-choices.ts";
import type { Prints } from "./printing.queries.ts";
import { FORMATS } from "./sheets.ts";

interface FormatFieldsProps {
  choices: Choices;
  onChoose: (changes: Partial<Choices>) => void;
  design: Prints["design"];
  onDesign: (design: Prints["design"]) => void;
}

/** What is printed, how it looks, and whether it goes to a print shop. */
export function FormatFields({ choices, onChoose, design, onDesign }: FormatFieldsProps) {
  const { t } = useTranslation("printing");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid justify-items-start gap-2">
        <SegmentedControl
          label={t("format.label")}
          value={choices.format}
          onChange={(format) => onChoose({ format })}
          options={FORMATS.map((value) => ({ value, label: t(`format.${value}`) }))}
        />
        <p className="text-sm text-ink-soft">{t(`format.${choices.format}Text`)}</p>
      </div>
      <div>
        <SegmentedControl
          label={t("design.label")}
          value={design}
          onChange={onDesign}
          options={DESIGNS.map((value) => ({ value, label: t(`design.${value}`) }))}
        />
      </div>
      <Switch
        label={t("bleed.label")}
        text={t(choices.bleed ? "bleed.on" : "bleed.off")}
        checked={choices.bleed}
        onChange={(bleed) => onChoose({ bleed })}
      />
    </div>
  );
}
