import type { Dispatch, ReactNode, SetStateAction } from "react";
import { useTranslation } from "react-i18next";
import type { Engraving } from "../../../shared/card.ts";
import { FINISHES, isEngravable, MOST_DATES, MOST_NAME } from "../../../shared/card-face.ts";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextField } from "../../ui/TextField.tsx";

/** A card's text and target. */
export interface CardInput {
  engraving: Engraving;
  memoryId: string | null;
}

interface EngravingFieldsProps {
  input: CardInput;
  /** A state dispatcher: text typed before the app loads changes several fields at once, before the next render. */
  onChange: Dispatch<SetStateAction<CardInput>>;
  /** The field for the memory that the card opens. */
  children: ReactNode;
}

const SWATCHES = {
  steel: "linear-gradient(140deg,#eef1f3,#aeb5bb)",
  gold: "linear-gradient(140deg,#f6e9cb,#bf9b60)",
  black: "linear-gradient(140deg,#454c54,#15191d)",
};

/** Whether the text fits on a card. */
export const canEngrave = ({ name, dates }: Engraving): boolean =>
  name.length <= MOST_NAME && dates.length <= MOST_DATES && isEngravable(name + dates);

/** The fields of a card's text and target. */
export function EngravingFields({ input, onChange, children }: EngravingFieldsProps) {
  const { t } = useTranslation("cards");
  const { engraving } = input;
  const change = (changes: Partial<Engraving>) =>
    onChange((before) => ({ ...before, engraving: { ...before.engraving, ...changes } }));
  const problem = (text: string, most: number) =>
    text.length > most ? t("words.tooLong") : isEngravable(text) ? undefined : t("words.notEngravable");
  return (
    <div className="grid gap-5">
      {children}
      <TextField
        label={t("words.name")}
        hint={t("words.nameHint")}
        value={engraving.name}
        error={problem(engraving.name, MOST_NAME)}
        onChange={({ target }) => change({ name: target.value })}
        autoComplete="off"
      />
      <TextField
        label={t("words.dates")}
        hint={t("words.datesHint")}
        placeholder={t("words.datesExample")}
        value={engraving.dates}
        error={problem(engraving.dates, MOST_DATES)}
        onChange={({ target }) => change({ dates: target.value })}
        autoComplete="off"
      />
      <div className="grid justify-items-start gap-1.5">
        <span className="font-semibold">{t("finish.label")}</span>
        <SegmentedControl
          label={t("finish.label")}
          value={engraving.finish}
          onChange={(finish) => change({ finish })}
          options={FINISHES.map((finish) => ({
            value: finish,
            label: (
              <>
                <span
                  aria-hidden
                  className="size-5 rounded-full border border-edge/60"
                  style={{ background: SWATCHES[finish] }}
                />
                {t(`finish.${finish}`)}
              </>
            ),
          }))}
        />
      </div>
    </div>
  );
}
