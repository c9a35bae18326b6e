import "../../i18n/namespaces/memories.ts";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useDatesOrCreated } from "../../media/covers/MemoryCover.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import type { CardMemory } from "./cards.queries.ts";
import type { MemorySearch } from "./use-card-memories.ts";

interface MemoryChoiceProps {
  /** Null for a visitor, who has none; undefined while they are read. */
  memories: CardMemory[] | null | undefined;
  /** Where not all of them are offered at once. */
  search: MemorySearch;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Which of one's memories a card opens, or none of them yet. */
export function MemoryChoice({ memories, search, value, onChange }: MemoryChoiceProps) {
  const { t } = useTranslation("cards");
  const id = useId();
  const dates = useDatesOrCreated();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("words.memory")}
      </label>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {t(memories === null ? "words.memorySignIn" : "words.memoryHint")}
      </p>
      {search && <SearchField label={t("words.memoryFind")} value={search.text} onChange={search.setText} />}
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        disabled={!memories?.length && !search}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value || null)}
        className="min-h-12 w-full min-w-0 rounded-xl border border-edge bg-raised px-3 text-base text-ink transition-colors duration-200 ease-out hover:border-deep disabled:opacity-70"
      >
        <option value="">{t("words.memoryNone")}</option>
        {memories?.map((memory) => (
          <option key={memory.id} value={memory.id}>
            {memory.person_name} · {dates(memory)}
          </option>
        ))}
      </select>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {search?.find && memories?.every(({ id }) => id === value) && t("words.memoryNotFound", { text: search.find })}
      </p>
    </div>
  );
}
