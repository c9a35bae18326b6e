import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PIN_LENGTH } from "../../../shared/pin.ts";
import { pinIn } from "../../../shared/typed-pin.ts";
import { asciiDigits } from "../../../shared/typed-text.ts";
import { servedPage } from "../../lib/browser/served-page.ts";
import { classNames } from "../../ui/class-names.ts";

/** The digits of a text that was typed, pasted or filled in: one digit, or a PIN. Other text is not guessed at. */
const digitsIn = (text: string, shareId?: string) =>
  /^\p{Nd}{0,3}$/u.test(text) ? asciiDigits(text) : (pinIn(text, shareId) ?? "");

interface PinBoxesProps {
  /** Accessible name of the group of four boxes. */
  label: string;
  /** The initial PIN. */
  start?: string;
  /** Called after the fourth digit. */
  onComplete: (pin: string) => void;
  onChange?: (pin: string) => void;
  invalid?: boolean;
  busy?: boolean;
  autoFocus?: boolean;
  /** Id of the element with the error text. */
  describedBy?: string;
  /** The link that the PIN opens: of a pasted message, only its PIN is taken. */
  shareId?: string;
}

/** Renders a PIN as four boxes. A digit moves the focus forward, backspace moves it back, and pasting fills all. */
export function PinBoxes({
  label,
  start,
  onComplete,
  onChange,
  invalid,
  busy,
  autoFocus,
  describedBy,
  shareId,
}: PinBoxesProps) {
  const { t } = useTranslation("shareGate");
  const [digits, setDigits] = useState<string[]>(() => (start ? [...start] : Array(PIN_LENGTH).fill("")));
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const group = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    // The person may already be typing in one of the boxes.
    if (autoFocus && !group.current?.contains(document.activeElement)) boxes.current[0]?.focus();
  }, [autoFocus]);

  // Adopts digits that were typed into the prerendered page before the app started.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page is taken over
  useLayoutEffect(() => {
    const page = servedPage();
    const pasted = page?.pasted === undefined ? undefined : pinIn(page.pasted, shareId);
    delete page?.pasted;
    if (pasted) return fill(0, pasted);
    // If an extension has changed the prerendered page, React may have drawn the boxes anew.
    const early = page?.digits ?? [];
    const typed = boxes.current.map((box, at) => digitsIn(box?.value || early[at] || "").slice(0, 1));
    if (typed.join("") === digits.join("")) return;
    setDigits(typed);
    onChange?.(typed.join(""));
    if (typed.every(Boolean)) onComplete(typed.join(""));
  }, []);

  // Clears a wrong PIN, so that the next attempt can be typed immediately.
  useEffect(() => {
    if (!invalid || busy) return;
    setDigits(Array(PIN_LENGTH).fill(""));
    boxes.current[0]?.focus();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      group.current?.animate(
        { translate: ["0", "-8px", "8px", "-5px", "5px", "0"] },
        { duration: 300, easing: "ease-out" },
      );
    }
  }, [invalid, busy]);

  const fill = (from: number, typed: string) => {
    const next = [...digits];
    for (const [offset, digit] of [...typed].slice(0, PIN_LENGTH - from).entries()) next[from + offset] = digit;
    setDigits(next);
    const pin = next.join("");
    onChange?.(pin);
    boxes.current[Math.min(PIN_LENGTH - 1, from + typed.length)]?.focus();
    if (pin.length === PIN_LENGTH && !busy) onComplete(pin);
  };

  const clear = (index: number) => {
    const next = digits.map((digit, at) => (at === index ? "" : digit));
    setDigits(next);
    onChange?.(next.join(""));
  };

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: PIN_LENGTH - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      boxes.current[to]?.focus();
    } else if (event.key === "Backspace") {
      event.preventDefault();
      const at = digits[index] === "" ? Math.max(0, index - 1) : index;
      clear(at);
      boxes.current[at]?.focus();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    const pasted = digitsIn(event.clipboardData.getData("text"), shareId);
    if (pasted) fill(0, pasted);
  };

  return (
    <fieldset ref={group} aria-describedby={describedBy} aria-busy={busy} className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      <div
        data-digits
        className="grid grid-cols-[repeat(4,minmax(0,4rem))] justify-center gap-2 min-[24rem]:gap-3 sm:grid-cols-[repeat(4,4.5rem)] sm:gap-4"
      >
        {digits.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            key={index}
            ref={(box) => {
              boxes.current[index] = box;
            }}
            type="text"
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete="off"
            aria-label={t("pin.digit", { number: index + 1 })}
            aria-invalid={invalid || undefined}
            readOnly={busy}
            value={digit}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => {
              // The box may contain the old digit beside the new one, because some phones send no key events.
              const typed = digitsIn(target.value, shareId);
              if (target.value === "") clear(index);
              else if (typed.length === PIN_LENGTH) fill(0, typed);
              else if (typed)
                fill(index, typed.length > 1 && digit && typed.startsWith(digit) ? typed.slice(1) : typed);
            }}
            onBeforeInput={(event) => {
              // Typing the digit that the box already contains causes no change event.
              if (event.data !== digit || digit === "") return;
              event.preventDefault();
              fill(index, digit);
            }}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPaste={onPaste}
            className={classNames(
              "h-16 w-full min-w-0 rounded-2xl border-2 bg-raised text-center font-serif text-3xl text-ink tabular-nums caret-deep sm:h-18",
              "transition-colors duration-200 ease-out",
              invalid ? "border-danger" : "border-edge focus:border-deep",
              busy && "opacity-60",
            )}
          />
        ))}
      </div>
    </fieldset>
  );
}
