import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { LONGEST, lengthOf } from "./comment.ts";
import { type MemoryPerson, mentionedIn, suggested, type Wish, wishAt, withMention } from "./mention.ts";

interface ComposerProps {
  /** The field's accessible name and placeholder. */
  label: string;
  submit: string;
  initial: string;
  people: readonly MemoryPerson[];
  /** Called with each change of the text. */
  onWritten?: (text: string) => void;
  onSend: (body: string, mentions: string[]) => void;
  onCancel?: () => void;
  autoFocus?: boolean;
}

const COUNTED_FROM = LONGEST - 500;

/** A form for writing a comment. */
export function Composer({ label, submit, initial, people, onWritten, onSend, onCancel, autoFocus }: ComposerProps) {
  const { t, i18n } = useTranslation("comments");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  const write = (now: string) => {
    setText(now);
    onWritten?.(now);
  };
  const mentioning = useMentioning(field, people, write);
  useGrowing(field, text);
  useEffect(() => {
    if (!autoFocus) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [autoFocus]);

  const body = text.trim();
  const remaining = LONGEST - lengthOf(body);
  const sendable = body !== "" && remaining >= 0;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!sendable) return;
    onSend(body, mentionedIn(body, people));
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentioning.onKeyDown(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event as unknown as FormEvent);
    if (event.key === "Escape" && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };
  const { suggestions, chosen } = mentioning;
  const open = suggestions.length > 0;
  return (
    <form onSubmit={send} className="grid gap-2">
      <div className="relative">
        <textarea
          dir="auto"
          ref={field}
          rows={2}
          value={text}
          aria-label={label}
          placeholder={label}
          aria-autocomplete={people.length > 0 ? "list" : undefined}
          aria-controls={open ? `${id}-people` : undefined}
          aria-activedescendant={open ? optionId(`${id}-people`, chosen) : undefined}
          aria-describedby={remaining <= LONGEST - COUNTED_FROM ? `${id}-left` : undefined}
          aria-invalid={remaining < 0 || undefined}
          onChange={(event) => {
            write(event.target.value);
            mentioning.look(event.target);
          }}
          onSelect={(event) => mentioning.look(event.currentTarget)}
          onBlur={mentioning.close}
          onKeyDown={onKeyDown}
          className={classNames(
            "block max-h-[60dvh] min-h-20 w-full resize-none rounded-2xl border bg-raised px-4 py-3 text-base text-ink placeholder:text-ink-soft",
            remaining < 0 ? "border-danger" : "border-edge hover:border-deep",
          )}
        />
        {open && <MentionList id={`${id}-people`} people={suggestions} chosen={chosen} onTake={mentioning.take} />}
        <span role="status" className="sr-only">
          {open && t("write.suggested", { count: suggestions.length })}
        </span>
      </div>
      {(body !== "" || onCancel) && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          {remaining <= LONGEST - COUNTED_FROM && (
            <p
              id={`${id}-left`}
              className={classNames(
                "me-auto text-sm tabular-nums",
                remaining < 0 ? "text-danger-text" : "text-ink-soft",
              )}
            >
              {remaining < 0
                ? t("write.over", { count: -remaining, number: numberText(-remaining, i18n.language) })
                : t("write.left", { count: remaining, number: numberText(remaining, i18n.language) })}
            </p>
          )}
          {onCancel && (
            <Button variant="plain" size="small" onClick={onCancel}>
              {t("write.cancel")}
            </Button>
          )}
          <Button type="submit" size="small" disabled={!sendable}>
            {submit}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Makes the field grow with its content. */
function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the text changes
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [field, text]);
}

interface MentionListProps {
  id: string;
  people: readonly MemoryPerson[];
  /** The option that Enter selects. */
  chosen: number;
  onTake: (person: MemoryPerson) => void;
}

/** The option's id, for the field that points to it. */
const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** Suggestions after an "@". The focus stays in the field, which handles the keys that move the selection. */
function MentionList({ id, people, chosen, onTake }: MentionListProps) {
  const { t } = useTranslation("comments");
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("write.people")}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-2xl border border-line bg-raised p-2 shadow-lifted"
    >
      {people.map((person, index) => (
        <div
          dir="auto"
          key={person.id}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Handled on pointer down, before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(person);
          }}
          className={classNames(
            "flex min-h-11 cursor-pointer items-center rounded-xl px-3",
            index === chosen && "bg-wash text-deep",
          )}
        >
          {person.name}
        </div>
      ))}
    </div>
  );
}

/** Suggests people after an "@" in a field, and handles the keys that choose one. */
function useMentioning(
  field: RefObject<HTMLTextAreaElement | null>,
  people: readonly MemoryPerson[],
  onWritten: (text: string) => void,
) {
  const [mention, setMention] = useState<Wish>();
  const [chosen, setChosen] = useState(0);
  const suggestions = mention ? suggested(people, mention.text) : [];

  const close = () => setMention(undefined);
  const take = (person: MemoryPerson | undefined) => {
    const area = field.current;
    if (!mention || !area || !person) return;
    const { text, caret } = withMention(area.value, mention, person);
    // The caret must be behind the name before the next key press.
    flushSync(() => onWritten(text));
    area.setSelectionRange(caret, caret);
    close();
  };
  return {
    suggestions,
    chosen: Math.min(chosen, Math.max(0, suggestions.length - 1)),
    close,
    take,
    /** Updates the suggestions after a change of text or caret. */
    look({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
      const next = selectionStart === selectionEnd ? wishAt(value, selectionStart) : undefined;
      if (next?.text !== mention?.text || next?.from !== mention?.from) setChosen(0);
      setMention(next);
    },
    /** Handles a key press; returns whether the list used it. */
    onKeyDown(event: KeyboardEvent): boolean {
      // While a word is composed, e.g. in Japanese, Enter and the arrows choose its letters.
      if (suggestions.length === 0 || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
      const selectedIndex = Math.min(chosen, suggestions.length - 1);
      if (event.key === "ArrowDown") setChosen((selectedIndex + 1) % suggestions.length);
      else if (event.key === "ArrowUp") setChosen((selectedIndex + suggestions.length - 1) % suggestions.length);
      else if (event.key === "Enter" || event.key === "Tab") take(suggestions[selectedIndex]);
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
