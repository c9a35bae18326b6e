import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { CardInput } from "./EngravingFields.tsx";
import { MemoryChoice } from "./MemoryChoice.tsx";
import { wordsOf } from "./shop/engraving-defaults.ts";
import { type CardMemory, useCardMemories } from "./use-card-memories.ts";

interface OwnMemoryProps {
  userId: string;
  input: CardInput;
  onChange: (input: CardInput, memory: CardMemory | undefined) => void;
}

/** Chooses the memory that a card opens, and copies its name and dates to the card. For signed-in people. */
export default function OwnMemory({ userId, input, onChange }: OwnMemoryProps) {
  const { i18n } = useTranslation();
  const { engraving, memoryId } = input;
  const { memories, search } = useCardMemories(userId, memoryId);
  const choose = (id: string | null) => {
    const memory = memories?.find((one) => one.id === id);
    const texts = memory && wordsOf(memory, localeOf(i18n.language));
    onChange({ memoryId: id, engraving: { ...engraving, ...texts } }, memory);
  };
  return <MemoryChoice memories={memories} search={search} value={memoryId} onChange={choose} />;
}
