import { type KeyboardEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { type MemoryPerson, suggested, type Wish, wishAt, withMention } from "./mention.ts";

/** Mentioning people in a field: who is suggested after an "@", and the keys that choose. */
export function useMentioning(
  field: RefObject<HTMLTextAreaElement | null>,
  people: readonly MemoryPerson[],
  onWritten: (text: string) => void,
) {
  const [wish, setWish] = useState<Wish>();
  const [chosen, setChosen] = useState(0);
  const suggestions = wish ? suggested(people, wish.text) : [];

  const close = () => setWish(undefined);
  const take = (person: MemoryPerson | undefined) => {
    const area = field.current;
    if (!wish || !area || !person) return;
    const { text, caret } = withMention(area.value, wish, person);
    // The caret goes behind the name before the next key comes, wherever the browser leaves it.
    flushSync(() => onWritten(text));
    area.setSelectionRange(caret, caret);
    close();
  };
  return {
    suggestions,
    chosen: Math.min(chosen, Math.max(0, suggestions.length - 1)),
    close,
    take,
    /** The text or the caret has changed. */
    look({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
      const next = selectionStart === selectionEnd ? wishAt(value, selectionStart) : undefined;
      if (next?.text !== wish?.text || next?.from !== wish?.from) setChosen(0);
      setWish(next);
    },
    /** Whether the key was for the list. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (suggestions.length === 0 || event.ctrlKey || event.metaKey) return false;
      const draftKey = Math.min(chosen, suggestions.length - 1);
      if (event.key === "ArrowDown") setChosen((draftKey + 1) % suggestions.length);
      else if (event.key === "ArrowUp") setChosen((draftKey + suggestions.length - 1) % suggestions.length);
      else if (event.key === "Enter" || event.key === "Tab") take(suggestions[draftKey]);
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
