import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Button } from "../../ui/Button.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { SelectField } from "../../ui/SelectField.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { LinkMaker } from "./LinkMaker.tsx";
import { type Choices, chosenLinks, MOST_COPIES } from "./print-choices.ts";
import type { PrintedLink } from "./printing.queries.ts";

interface CodeFieldsProps {
  memoryId: string;
  links: readonly PrintedLink[];
  choices: Choices;
  onChoose: (changes: Partial<Choices>) => void;
  secretFailed: boolean;
}

/** Whose code is printed: one link's on all cards, or that of each table. */
export function CodeFields({ memoryId, links, choices, onChoose, secretFailed }: CodeFieldsProps) {
  const { t, i18n } = useTranslation("printing");
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long" });
  const nameOf = ({ label, is_first, created_at }: PrintedLink) =>
    label || (is_first ? t("codes.first") : t("codes.unnamed", { date: day.format(new Date(created_at)) }));
  const isPlaces = choices.format === "places";
  const isEach = choices.codes === "each" && !isPlaces;
  const hasCode = !isPlaces || choices.placeCode;
  const asks = chosenLinks(links, choices).some((link) => link.asks !== null);
  return (
    <fieldset className="m-0 grid grid-cols-[minmax(0,1fr)] gap-4 border-0 p-0">
      <legend className="mb-3 font-serif text-2xl">{t("codes.legend")}</legend>
      {isPlaces ? (
        <Switch
          label={t("codes.withCode")}
          text={t("codes.withCodeText")}
          checked={choices.placeCode}
          onChange={(placeCode) => onChoose({ placeCode })}
        />
      ) : (
        <div className="grid justify-items-start gap-2">
          <SegmentedControl
            label={t("codes.legend")}
            value={choices.codes}
            onChange={(codes) => onChoose({ codes })}
            options={(["one", "each"] as const).map((value) => ({ value, label: t(`codes.${value}`) }))}
          />
          <p className="text-sm text-ink-soft">{t(`codes.${choices.codes}Text`)}</p>
        </div>
      )}
      {hasCode && !isEach && links.length > 1 && (
        <SelectField
          label={t("codes.link")}
          value={choices.linkId}
          onChange={({ target }) => onChoose({ linkId: target.value })}
          options={links.map((link) => [link.id, nameOf(link)])}
        />
      )}
      {isEach && <EachLink memoryId={memoryId} links={links} nameOf={nameOf} choices={choices} onChoose={onChoose} />}
      {hasCode && asks && (
        <Switch
          label={t("codes.secret")}
          text={t("codes.secretText")}
          checked={choices.printsSecret}
          onChange={(printsSecret) => onChoose({ printsSecret })}
        />
      )}
      {secretFailed && (
        <p role="alert" className="text-danger-text">
          {t("codes.secretFailed")}
        </p>
      )}
    </fieldset>
  );
}

interface EachLinkProps extends Omit<CodeFieldsProps, "secretFailed"> {
  nameOf: (link: PrintedLink) => string;
}

function EachLink({ memoryId, links, nameOf, choices, onChoose }: EachLinkProps) {
  const { t } = useTranslation("printing");
  const { linkIds, copies } = choices;
  const others = links.filter(({ is_first }) => !is_first);
  const [making, setMaking] = useState(others.length === 0);
  return (
    <>
      {others.length > 0 && (
        <div className="max-h-80 overflow-y-auto rounded-2xl border border-line px-4 py-1">
          {others.map((link) => (
            <label key={link.id} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-deep"
                checked={linkIds.includes(link.id)}
                onChange={({ target }) =>
                  onChoose({
                    linkIds: target.checked ? [...linkIds, link.id] : linkIds.filter((id) => id !== link.id),
                  })
                }
              />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {nameOf(link)}
              </span>
            </label>
          ))}
        </div>
      )}
      {making ? (
        <LinkMaker
          memoryId={memoryId}
          onMade={(ids) => {
            onChoose({ linkIds: [...linkIds, ...ids] });
            setMaking(false);
          }}
          onCancel={others.length > 0 ? () => setMaking(false) : undefined}
        />
      ) : (
        <Button icon={Plus} variant="quiet" className="justify-self-start" onClick={() => setMaking(true)}>
          {t("codes.make")}
        </Button>
      )}
      {others.length > 0 && (
        <SelectField
          label={t("codes.copies")}
          value={String(copies)}
          onChange={({ target }) => onChoose({ copies: Number(target.value) })}
          options={Array.from({ length: MOST_COPIES }, (_, at) => [String(at + 1), String(at + 1)])}
        />
      )}
    </>
  );
}
