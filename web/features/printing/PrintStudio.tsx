import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Memory } from "../../data/memories.queries.ts";
import { useDraft } from "../../data/use-draft.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { CodeFields } from "./CodeFields.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { PlaceNames } from "./PlaceNames.tsx";
import { PrintConflict } from "./PrintConflict.tsx";
import { byName, type Choices, type Coming, formatOf, placeNames, type WordField } from "./print-choices.ts";
import { type PrintedLink, type Prints, useSavePrints } from "./printing.queries.ts";
import { SavePdf } from "./SavePdf.tsx";
import { usePrintedPages } from "./use-printed-pages.ts";
import { WordFields } from "./WordFields.tsx";

interface PrintStudioProps {
  memory: Memory;
  /** At least one. */
  links: readonly PrintedLink[];
  stored: Prints;
  coming: readonly Coming[];
}

/** Everything that is chosen and written for printing, beside a preview of the sheets. */
export function PrintStudio({ memory, links, stored, coming }: PrintStudioProps) {
  const { t, i18n } = useTranslation("printing");
  const [parameters, setParameters] = useSearchParams();
  const prints = useDraft(useSavePrints(supabase, memory.id), stored);
  const { draft } = prints;
  const sorted = byName(links, i18n.language);
  const [choices, setChoices] = useState<Choices>(() => ({
    format: formatOf(parameters.get("format")),
    bleed: false,
    codes: "one",
    linkId: (links.find(({ rights }) => rights === "contribute" || rights === "upload") ?? links[0])?.id ?? "",
    linkIds: links.filter(({ is_first, label }) => !is_first && label).map(({ id }) => id),
    copies: 1,
    printsSecret: true,
    placeCode: false,
  }));
  const choose = (changes: Partial<Choices>) => {
    setChoices((choices) => ({ ...choices, ...changes }));
    if (changes.format) setParameters({ format: changes.format }, { replace: true, preventScrollReset: true });
  };
  const isPlaces = choices.format === "places";
  const rights = links.find(({ id }) => id === choices.linkId)?.rights;
  const adds = rights === "contribute" || rights === "upload";
  const values: Record<WordField, string> = {
    title: draft.title ?? memory.person_name,
    words: draft.words ?? t(`defaults.${memory.kind}.${adds ? "add" : "look"}`),
    hint: draft.hint ?? t("defaults.hint"),
    place_words: draft.place_words ?? memory.person_name,
  };
  const printed = usePrintedPages({
    choices,
    design: draft.design,
    memory,
    links: sorted,
    texts: { title: values.title, message: values.words, hint: values.hint, placeWords: values.place_words },
    names: placeNames(coming, draft),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-12">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <FormatFields
          choices={choices}
          onChoose={choose}
          design={draft.design}
          onDesign={(design) => prints.save({ design })}
        />
        {isPlaces && <PlaceNames coming={coming} draft={draft} onChange={prints.change} onSave={prints.save} />}
        <WordFields
          fields={isPlaces ? ["place_words"] : ["title", "words", "hint"]}
          values={values}
          onChange={(field, value) => prints.change({ [field]: value })}
          onSave={() => prints.save()}
        />
        <CodeFields
          memoryId={memory.id}
          links={sorted}
          choices={choices}
          onChoose={choose}
          secretFailed={printed.secretFailed}
        />
        {prints.conflict && <PrintConflict conflict={prints.conflict} onSettled={prints.settle} />}
        {prints.failed && (
          <p role="alert" className="text-danger-text">
            {t("words.saveFailed")}
          </p>
        )}
      </div>
      <SavePdf
        printed={printed}
        format={t(`format.${choices.format}`)}
        name={memory.person_name}
        nothing={t(isPlaces ? "places.empty" : "codes.choose")}
        note={t("save.note")}
        onSave={() => prints.save()}
      />
    </div>
  );
}
