import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import type { useSaveMemory } from "./use-save-memory.ts";

/** Asks whose changes of a memory stay, after somebody else has changed the same fields. */
export function MemoryConflict({ conflict, write, leave }: Omit<ReturnType<typeof useSaveMemory>, "save">) {
  const { t, i18n } = useTranslation(["memories", "common"]);
  const text = (name: keyof Memory, memory: Memory): string => {
    const value = memory[name];
    if (!value) return "";
    if (name === "kind") return t(`page.conflict.${memory.kind}`);
    return name === "person_name" ? memory.person_name : writtenDate(String(value), i18n.language);
  };
  return (
    <Dialog title={t("common:conflict.title")} open={conflict !== undefined} onOpenChange={(open) => !open && leave()}>
      {conflict && (
        <ConflictNote
          changes={conflict.fields.map((name) => ({
            label: t(`page.conflict.${name as "kind" | "person_name" | "birth_date" | "passing_date" | "event_date"}`),
            theirs: text(name, conflict.now),
            mine: text(name, { ...conflict.now, ...conflict.changes }),
          }))}
          onMine={() => write(conflict.now, conflict.changes)}
          onTheirs={() => {
            leave();
            if (Object.keys(conflict.others).length > 0) write(conflict.now, conflict.others);
          }}
        />
      )}
    </Dialog>
  );
}
