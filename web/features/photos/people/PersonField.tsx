import { UserPlus } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { classNames } from "../../../ui/class-names.ts";
import { TextField } from "../../../ui/TextField.tsx";
import { newName, personChoices, yearsText } from "./person-choices.ts";
import type { ChosenPerson } from "./use-naming.ts";

interface PersonFieldProps {
  label: string;
  hint?: string;
  people: readonly PicturedPerson[];
  /** Whether a typed name may become a new person. */
  addable?: boolean;
  /** Whether its dialog begins in it. */
  begins?: boolean;
  /** A text that is in it at first, e.g. what somebody answered. */
  initial?: string;
  onChoose: (person: ChosenPerson) => void;
}

interface Option extends ChosenPerson {
  detail: string | undefined;
}

/** A combobox of a memory's people, which also accepts a new name. Its list is below it, so that nothing is covered. */
export function PersonField({ label, hint, people, addable = true, begins, initial = "", onChoose }: PersonFieldProps) {
  const { t } = useTranslation("pictured");
  const id = useId();
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const name = addable ? newName(text) : undefined;
  const options: Option[] = personChoices(people, text).map((person) => ({
    id: person.id,
    name: person.name,
    isNew: false,
    detail: [yearsText(person), person.otherNames.join(", ")].filter(Boolean).join(" · ") || undefined,
  }));
  if (name !== undefined) options.push({ id: "", name, isNew: true, detail: undefined });
  const isListed = open && options.length > 0;
  const active = Math.min(current, options.length - 1);
  useEffect(() => {
    if (isListed) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [isListed, active]);

  const choose = (option: Option | undefined) => {
    if (!option) return;
    onChoose({ id: option.isNew ? crypto.randomUUID() : option.id, name: option.name, isNew: option.isNew });
    setText("");
    setOpen(false);
    setCurrent(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isListed) setCurrent((active + step + options.length) % options.length);
      setOpen(true);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isListed) choose(options[active]);
    } else if (event.key === "Escape" && isListed) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        {...(hint && { hint })}
        data-begin-here={begins || undefined}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? `${id}-list` : undefined}
        aria-activedescendant={isListed ? `${id}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        enterKeyHint="done"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCurrent(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="sr-only">
        {isListed && t("choices", { count: options.length })}
      </span>
      {isListed && (
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className="max-h-64 overflow-y-auto rounded-2xl border border-line bg-raised p-1.5"
        >
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={option.isNew ? "new" : option.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
              className={classNames(
                "flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 py-1.5 hover:bg-wash",
                index === active && "bg-wash text-deep",
              )}
            >
              {option.isNew && <UserPlus aria-hidden className="size-5 shrink-0" />}
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {option.isNew ? t("addNew", { name: option.name }) : option.name}
                {option.detail && <span className="block text-sm text-ink-soft">{option.detail}</span>}
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
