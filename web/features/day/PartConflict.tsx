import { useTranslation } from "react-i18next";
import type { PartBase, PartFacts } from "../../data/day.queries.ts";
import type { EditConflict } from "../../data/save-over.ts";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { clock, dayText, momentText } from "./day-times.ts";

interface PartConflictProps {
  conflict: EditConflict<PartBase>;
  /** Saves these changes over what is stored now. */
  onChoice: (changes: Partial<PartFacts>) => void;
}

/** The labels of the columns in the form. */
const LABELS = {
  part: "part",
  title: "title",
  on_date: "date",
  starts_at: "starts",
  ends_at: "ends",
  doors_at: "doors",
  time_zone: "zone",
  place: "place",
  address: "address",
  map_url: "map",
  directions: "directions",
  parking: "parking",
  accessibility: "accessibility",
  dress: "dress",
  gifts: "gifts",
  gifts_url: "giftsUrl",
  contact: "contact",
  note: "note",
  audience: "audience",
  stream_url: "stream",
  stream_from: "streamFrom",
} as const satisfies Record<keyof PartFacts, string>;

/** What another manager has saved in the same fields meanwhile, and the choice between both. */
export function PartConflict({ conflict, onChoice }: PartConflictProps) {
  const { t, i18n } = useTranslation("day");
  const { stored, changes, others } = conflict;
  const text = (name: keyof PartFacts, facts: PartFacts): string => {
    const value = facts[name];
    if (!value) return "";
    if (name === "part") return t(`parts.${facts.part}`);
    if (name === "audience") return t(`edit.${facts.audience}`);
    if (name === "on_date") return dayText(value, i18n.language);
    if (name === "stream_from") return momentText(value, facts.time_zone, i18n.language);
    return name.endsWith("_at") ? clock(value) : value;
  };
  return (
    <ConflictNote
      changes={(conflict.fields as (keyof PartFacts)[]).map((name) => ({
        label: t(`edit.${LABELS[name]}`),
        theirs: text(name, stored),
        mine: text(name, { ...stored, ...changes }),
      }))}
      onMine={() => onChoice(changes)}
      onTheirs={() => onChoice(others)}
    />
  );
}
