import { type ReactNode, useState } from "react";
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { PartBase, PartKind } from "../../data/day.queries.ts";
import { timeZones } from "../../lib/formatting/time-zones.ts";
import { SelectField } from "../../ui/SelectField.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";
import type { PartFields } from "./part-fields.ts";

/** Returns the properties of a field's input, and its error. */
export type PartFormField = (name: keyof PartFields) => UseFormRegisterReturn & { error?: string };

interface FieldsProps {
  fieldOf: PartFormField;
}

interface FoldedProps extends FieldsProps {
  base: PartBase | undefined;
  errors: FieldErrors<PartFields>;
}

/** What it is, and when. */
export function TimeFields({
  kinds,
  base,
  fieldOf,
}: FieldsProps & { kinds: readonly PartKind[]; base: PartBase | undefined }) {
  const { t } = useTranslation("day");
  const [zones] = useState(() => timeZones(base?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone));
  // A memory that was changed into one of the other kind has parts of that kind.
  const offered = base && !kinds.includes(base.part) ? [base.part, ...kinds] : kinds;
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2 sm:items-end">
        <SelectField
          label={t("edit.part")}
          options={offered.map((kind) => [kind, t(`parts.${kind}`)])}
          {...fieldOf("part")}
        />
        <TextField label={t("edit.title")} hint={t("edit.titleHint")} autoComplete="off" {...fieldOf("title")} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField type="date" label={t("edit.date")} {...fieldOf("on_date")} />
        <TextField type="time" label={t("edit.starts")} {...fieldOf("starts_at")} />
        <TextField type="time" label={t("edit.doors")} {...fieldOf("doors_at")} />
        <TextField type="time" label={t("edit.ends")} {...fieldOf("ends_at")} />
      </div>
      <SelectField
        label={t("edit.zone")}
        options={zones.map((zone) => [zone, zone.replaceAll("_", " ")])}
        {...fieldOf("time_zone")}
      />
    </>
  );
}

export function PlaceFields({ fieldOf }: FieldsProps) {
  const { t } = useTranslation("day");
  return (
    <>
      <TextField
        label={t("edit.place")}
        placeholder={t("edit.placePlaceholder")}
        autoComplete="off"
        {...fieldOf("place")}
      />
      <TextArea label={t("edit.address")} rows={2} autoComplete="off" {...fieldOf("address")} />
    </>
  );
}

/** How to get there. */
export function WayFields({ fieldOf, ...folded }: FoldedProps) {
  const { t } = useTranslation("day");
  return (
    <Folded title={t("edit.way")} names={["map_url", "directions", "parking", "accessibility"]} {...folded}>
      <TextField type="url" inputMode="url" label={t("edit.map")} placeholder="https://" {...fieldOf("map_url")} />
      <TextArea label={t("edit.directions")} rows={2} {...fieldOf("directions")} />
      <TextArea label={t("edit.parking")} rows={2} {...fieldOf("parking")} />
      <TextArea
        label={t("edit.accessibility")}
        hint={t("edit.accessibilityHint")}
        rows={2}
        {...fieldOf("accessibility")}
      />
    </Folded>
  );
}

export function StreamFields({ fieldOf, ...folded }: FoldedProps) {
  const { t } = useTranslation("day");
  return (
    <Folded title={t("edit.streaming")} names={["stream_url", "stream_from"]} {...folded}>
      <TextField
        type="url"
        inputMode="url"
        label={t("edit.stream")}
        placeholder="https://"
        autoComplete="off"
        {...fieldOf("stream_url")}
      />
      <TextField
        type="datetime-local"
        label={t("edit.streamFrom")}
        hint={t("edit.streamFromHint")}
        {...fieldOf("stream_from")}
      />
    </Folded>
  );
}

/** Dress, gifts and contact. */
export function MoreFields({ fieldOf, ...folded }: FoldedProps) {
  const { t } = useTranslation("day");
  return (
    <Folded title={t("edit.more")} names={["dress", "gifts", "gifts_url", "contact"]} {...folded}>
      <TextField label={t("edit.dress")} autoComplete="off" {...fieldOf("dress")} />
      <TextArea label={t("edit.gifts")} hint={t("edit.giftsHint")} rows={2} {...fieldOf("gifts")} />
      <TextField
        type="url"
        inputMode="url"
        label={t("edit.giftsUrl")}
        placeholder="https://"
        {...fieldOf("gifts_url")}
      />
      <TextArea label={t("edit.contact")} hint={t("edit.contactHint")} rows={2} {...fieldOf("contact")} />
    </Folded>
  );
}

interface FoldedGroupProps extends Omit<FoldedProps, "fieldOf"> {
  title: string;
  names: readonly (keyof PartFields)[];
  children: ReactNode;
}

/** Fields that most parts leave empty: folded, unless one is filled or has an error. */
function Folded({ title, names, base, errors, children }: FoldedGroupProps) {
  const [isOpen, setOpen] = useState(() => names.some((name) => base?.[name]));
  const open = isOpen || names.some((name) => errors[name]);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-2xl border border-line px-4 py-1"
    >
      <summary className="min-h-11 cursor-pointer content-center font-semibold">{title}</summary>
      <div className="grid gap-5 pt-3 pb-4">{children}</div>
    </details>
  );
}
