import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ShareRights } from "../../../../shared/share.ts";

interface LinkRightsProps {
  /** What the link opens: who sees nothing of an album could not say for which of its memories a photo is. */
  of: "memory" | "album";
  value: ShareRights;
  onChange: (rights: ShareRights) => void;
}

const OFFERED: Record<LinkRightsProps["of"], readonly ShareRights[]> = {
  memory: ["view", "comment", "contribute", "upload"],
  album: ["view", "comment", "contribute"],
};

/** Chooses what whoever holds a link may do. */
export function LinkRights({ of, value, onChange }: LinkRightsProps) {
  const { t } = useTranslation("sharing");
  const name = useId();
  // A link may have come to another right than those offered; it is shown, so that choosing is no guess.
  const offered = OFFERED[of];
  const choices = offered.includes(value) ? offered : [...offered, value];
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
