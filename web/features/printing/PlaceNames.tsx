import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { type Coming, linesOf, MOST_NAMES, placeNames } from "./print-choices.ts";
import type { Prints } from "./printing.queries.ts";

interface PlaceNamesProps {
  coming: readonly Coming[];
  draft: Prints;
  onChange: (changes: Partial<Prints>) => void;
  onSave: (changes?: Partial<Prints>) => void;
}

/** Who gets a place card: everybody who said yes, unless they are left out, and further names. */
export function PlaceNames({ coming, draft, onChange, onSave }: PlaceNamesProps) {
  const { t } = useTranslation("printing");
  const { left_out } = draft;
  const [extra, setExtra] = useState(draft.extra_names.join("\n"));
  const count = placeNames(coming, draft).length;
  const isSomebodyOut = coming.some(({ key }) => left_out.includes(key));
  return (
    <fieldset className="m-0 grid grid-cols-[minmax(0,1fr)] gap-4 border-0 p-0">
      <legend className="mb-3 font-serif text-2xl">{t("places.legend")}</legend>
      <p className="text-ink-soft">{coming.length > 0 ? t("places.text") : t("places.none")}</p>
      {coming.length > 0 && (
        <div className="max-h-80 overflow-y-auto rounded-2xl border border-line px-4 py-1">
          {coming.map(({ key, name }) => (
            <label key={key} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-deep"
                checked={!left_out.includes(key)}
                onChange={({ target }) =>
                  onSave({
                    left_out: target.checked ? left_out.filter((other) => other !== key) : [...left_out, key],
                  })
                }
              />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {name}
              </span>
            </label>
          ))}
        </div>
      )}
      {isSomebodyOut && (
        <Button
          variant="plain"
          size="small"
          className="justify-self-start"
          onClick={() => onSave({ left_out: left_out.filter((key) => !coming.some((person) => person.key === key)) })}
        >
          {t("places.all")}
        </Button>
      )}
      <TextArea
        label={t("places.extra")}
        hint={t("places.extraHint")}
        rows={3}
        value={extra}
        onChange={({ target }) => {
          setExtra(target.value);
          onChange({ extra_names: linesOf(target.value, MOST_NAMES) });
        }}
        onBlur={() => onSave()}
      />
      <p aria-live="polite" className="font-semibold">
        {t("places.count", { count })}
      </p>
    </fieldset>
  );
}
