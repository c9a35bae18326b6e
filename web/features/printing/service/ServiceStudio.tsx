import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../../data/day.queries.ts";
import type { Memory } from "../../../data/memories.queries.ts";
import type { Entry } from "../../../data/timeline.queries.ts";
import { useDraft } from "../../../data/use-draft.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import type { PrintedLink } from "../printing.queries.ts";
import { SavePdf } from "../SavePdf.tsx";
import { SERVICE_FORMATS, type ServiceFormat } from "./lay-out-service.ts";
import { ServiceItems } from "./ServiceItems.tsx";
import { type ServiceItem, type StoredService, useSaveService } from "./service.queries.ts";
import { datesOf, itemsOfProgramme, whenOf } from "./service-words.ts";
import { useServicePages } from "./use-service-pages.ts";

interface ServiceStudioProps {
  memory: Memory;
  stored: StoredService;
  parts: readonly DayPart[];
  /** The entries of an event's programme; a tribute's parts. */
  programme: readonly Pick<Entry, "title" | "starts_at" | "place" | "on_date">[];
  links: readonly PrintedLink[];
}

/** Everything that is written for an order of service, beside a preview of its pages. */
export function ServiceStudio({ memory, stored, parts, programme, links }: ServiceStudioProps) {
  const { t, i18n } = useTranslation("printing");
  const { draft, change, save, conflict, failed, settle } = useDraft(useSaveService(supabase, memory.id), stored);
  const [format, setFormat] = useState<ServiceFormat>("folded");
  const [large, setLarge] = useState(false);
  const [withCode, setWithCode] = useState(true);
  const heading = draft.heading ?? t(`service.heading.${memory.kind}`);
  const printed = useServicePages({
    service: {
      name: memory.person_name,
      dates: datesOf(memory, i18n.language),
      heading,
      when: whenOf(parts, i18n.language),
      entries: draft.items.map(({ kind, title, by, text }) => ({
        label: kind === "part" ? "" : t(`service.kinds.${kind}`),
        title,
        by,
        text,
      })),
      closing: draft.closing,
    },
    format,
    large,
    link: withCode ? links[0] : undefined,
  });
  const list = (items: readonly ServiceItem[]) => items.map(({ title, kind }) => title || t(`service.kinds.${kind}`));
  const textOf = (value: StoredService[keyof StoredService] | undefined) =>
    Array.isArray(value) ? list(value).join("\n") : String(value ?? "");
  const labels = { heading: t("service.headingLabel"), closing: t("service.closing"), items: t("service.items") };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-12">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid justify-items-start gap-2">
          <SegmentedControl
            label={t("format.label")}
            value={format}
            onChange={setFormat}
            options={SERVICE_FORMATS.map((value) => ({ value, label: t(`service.formats.${value}`) }))}
          />
          <p className="text-sm text-ink-soft">{t(`service.formats.${format}Text`)}</p>
        </div>
        <Switch label={t("service.large")} checked={large} onChange={setLarge} />
        <TextArea
          label={labels.heading}
          rows={1}
          maxLength={120}
          value={heading}
          onChange={({ target }) => change({ heading: target.value })}
          onBlur={() => save()}
        />
        <ServiceItems
          items={draft.items}
          onChange={(edit) => change(({ items }) => ({ items: edit(items) }))}
          onSave={(edit) => save(edit && (({ items }) => ({ items: edit(items) })))}
        />
        {draft.items.length === 0 && programme.length > 0 && (
          <Button
            variant="quiet"
            className="justify-self-start"
            onClick={() => save({ items: itemsOfProgramme(programme) })}
          >
            {t("service.takeOver")}
          </Button>
        )}
        <TextArea
          label={labels.closing}
          hint={t("service.closingHint")}
          rows={3}
          maxLength={600}
          value={draft.closing}
          onChange={({ target }) => change({ closing: target.value })}
          onBlur={() => save()}
        />
        {links.length > 0 && (
          <Switch label={t("codes.withCode")} text={t("service.code")} checked={withCode} onChange={setWithCode} />
        )}
        {conflict && (
          <ConflictNote
            changes={conflict.fields.map((field) => ({
              label: field === "revision" ? "" : labels[field],
              theirs: textOf(conflict.stored[field]),
              mine: textOf(conflict.changes[field]),
            }))}
            onMine={() => settle("mine")}
            onTheirs={() => settle("theirs")}
          />
        )}
        {failed && (
          <p role="alert" className="text-danger-text">
            {t("words.saveFailed")}
          </p>
        )}
      </div>
      <SavePdf
        printed={printed}
        format={t(`service.heading.${memory.kind}`)}
        name={memory.person_name}
        nothing={t("service.nothing")}
        note={t(`service.formats.${format}Note`)}
        onSave={() => save()}
      />
    </div>
  );
}
