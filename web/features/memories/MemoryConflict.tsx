import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { plainText } from "../../lib/formatting/plain-text.ts";
import { ConflictDialog } from "../../ui/ConflictDialog.tsx";
import type { useSaveMemory } from "./use-save-memory.ts";

const COMMON = {
  kind: "kind",
  birth_date: "birth",
  passing_date: "passing",
  event_date: "eventDate",
  description: "story",
} as const;
/** The labels of the columns' fields in the form of each kind of memory. */
const LABELS = { tribute: { ...COMMON, person_name: "name" }, event: { ...COMMON, person_name: "title" } } as const;
type Field = keyof (typeof LABELS)["event"];

/** Asks whose changes of a memory stay, after somebody else has changed the same fields. */
export function MemoryConflict({ conflict, write, dismiss }: Omit<ReturnType<typeof useSaveMemory>, "save">) {
  const { t, i18n } = useTranslation("memories");
  const text = (name: keyof Memory, memory: Memory): string => {
    const value = memory[name];
    if (!value) return "";
    if (name === "kind") return t(`fields.${memory.kind}`);
    if (name === "description") return plainText(memory.description);
    return name === "person_name" ? memory.person_name : writtenDate(String(value), i18n.language);
  };
  return (
    <ConflictDialog
      conflict={
        conflict && {
          changes: conflict.fields.map((name) => ({
            label: t(`fields.${LABELS[conflict.stored.kind][name as Field]}`),
            theirs: text(name, conflict.stored),
            mine: text(name, { ...conflict.stored, ...conflict.changes }),
          })),
          onMine: () => write(conflict.stored, conflict.changes),
          onTheirs: () => {
            dismiss();
            if (Object.keys(conflict.others).length > 0) write(conflict.stored, conflict.others);
          },
        }
      }
    />
  );
}
