import { useTranslation } from "react-i18next";
import { useDatesOrCreated } from "../../media/covers/MemoryCover.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { MemorySelect } from "./MemorySelect.tsx";
import type { CardMemory, MemorySearch } from "./use-card-memories.ts";

interface MemoryChoiceProps {
  /** Undefined while loading. */
  memories: CardMemory[] | undefined;
  /** Undefined if all memories are listed. */
  search: MemorySearch;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Chooses the memory that a card opens, or none yet. */
export function MemoryChoice({ memories, search, value, onChange }: MemoryChoiceProps) {
  const { t } = useTranslation("cards");
  const dates = useDatesOrCreated();
  return (
    <div>
      <MemorySelect
        hint={t("words.memoryHint")}
        search={search && <SearchField label={t("words.memoryFind")} value={search.text} onChange={search.setText} />}
        disabled={!memories?.length && !search}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value || null)}
      >
        {memories?.map((memory) => (
          <option dir="auto" key={memory.id} value={memory.id}>
            {memory.person_name} · {dates(memory)}
          </option>
        ))}
      </MemorySelect>
      <p role="status" className="mt-1.5 text-sm text-ink-soft empty:hidden">
        {search?.find && memories?.every(({ id }) => id === value) && t("words.memoryNotFound", { text: search.find })}
      </p>
    </div>
  );
}
