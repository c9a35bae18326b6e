import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ShareRights } from "../../../../shared/share.ts";

/** What can be chosen: what whoever holds a link can do today. */
const OFFERED: readonly ShareRights[] = ["view", "comment"];

/** Chooses what whoever holds a link may do. */
export function LinkRights({ value, onChange }: { value: ShareRights; onChange: (rights: ShareRights) => void }) {
  const { t } = useTranslation("sharing");
  const name = useId();
  // A link may have come to another right than those offered; it is shown, so that choosing is no guess.
  const choices = OFFERED.includes(value) ? OFFERED : [...OFFERED, value];
  return (
    <fieldset className="m-0 grid gap-2 border-0 p-0">
      <legend className="sr-only">{t("rights.title")}</legend>
      {choices.map((rights) => (
        <label
          key={rights}
          className="flex min-h-14 cursor-pointer items-start gap-3 rounded-xl border border-edge px-4 py-3 transition-colors duration-200 ease-out hover:border-deep has-checked:border-deep has-checked:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-deep"
        >
          <input
            type="radio"
            name={name}
            checked={rights === value}
            onChange={() => onChange(rights)}
            className="mt-1 size-5 shrink-0 accent-deep"
          />
          <span className="grid">
            <span className="font-semibold">{t(`rights.${rights}`)}</span>
            <span className="text-sm text-ink-soft">{t(`rights.${rights}Text`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
