import { useTranslation } from "react-i18next";
import type { EditConflict } from "../../data/save-over.ts";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import type { Prints } from "./printing.queries.ts";

interface PrintConflictProps {
  conflict: EditConflict<Prints>;
  onSettled: (whose: "mine" | "theirs") => void;
}

/** Shows words that another manager has changed at the same time. */
export function PrintConflict({ conflict, onSettled }: PrintConflictProps) {
  const { t } = useTranslation("printing");
  const labels: Record<keyof Prints, string> = {
    title: t("words.title"),
    words: t("words.words"),
    hint: t("words.hint"),
    place_words: t("words.placeWords"),
    design: t("design.label"),
    extra_names: t("places.extra"),
    left_out: t("places.leftOut"),
    revision: "",
  };
  const text = (value: Prints[keyof Prints] | undefined): string => {
    if (value === "plain" || value === "frame" || value === "tint") return t(`design.${value}`);
    // The names of those who are left out follow the id of their reply.
    if (Array.isArray(value)) return value.map((name) => name.replace(/^[0-9a-f-]{36} /, "")).join("\n");
    return String(value ?? "");
  };
  return (
    <ConflictNote
      changes={conflict.fields.map((field) => ({
        label: labels[field],
        theirs: text(conflict.stored[field]),
        mine: text(conflict.changes[field]),
      }))}
      onMine={() => onSettled("mine")}
      onTheirs={() => onSettled("theirs")}
    />
  );
}
