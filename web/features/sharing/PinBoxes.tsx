import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { servedPage } from "../../lib/browser/served-page.ts";
import { classNames } from "../../ui/class-names.ts";
import { NO_DIGITS, type PinDigits, pastedInto, pinOf, pressedIn, typedInto } from "./pin-digits.ts";

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
  const [digits, setDigits] = useState<readonly string[]>(() => (start ? [...start] : NO_DIGITS));
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const group = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    // The person may already be typing in one of the boxes.
    if (autoFocus && !group.current?.contains(document.activeElement)) boxes.current[0]?.focus();
  }, [autoFocus]);

  // Adopts digits that were typed into the prerendered page before the app started (web/inline/gate.ts).
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page is taken over
  useLayoutEffect(() => {
    // If an extension has changed the prerendered page, React may have drawn the boxes anew.
    const early = servedPage()?.digits ?? digits;
    const typed = boxes.current.map((box, at) => (/^[0-9]$/.test(box?.value ?? "") && box?.value) || early[at] || "");
    if (typed.join("") !== digits.join("")) show(typed);
  }, []);

  // Clears a wrong PIN, so that the next attempt can be typed immediately.
  useEffect(() => {
    if (!invalid || busy) return;
    setDigits(NO_DIGITS);
    boxes.current[0]?.focus();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      group.current?.animate(
        { translate: ["0", "-8px", "8px", "-5px", "5px", "0"] },
        { duration: 300, easing: "ease-out" },
      );
    }
  }, [invalid, busy]);

  const show = (next: readonly string[]) => {
    setDigits(next);
    onChange?.(next.join(""));
    const pin = pinOf(next);
    if (pin && !busy) onComplete(pin);
  };

  const change = (next: PinDigits | undefined) => {
    if (!next) return;
    if (next.digits !== digits) show(next.digits);
    boxes.current[next.focus]?.focus();
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
            onChange={({ target }) => change(typedInto(digits, index, target.value, shareId))}
            onBeforeInput={(event) => {
              // Typing the digit that the box already contains causes no change event.
              if (event.data !== digit || digit === "") return;
              event.preventDefault();
              change(typedInto(digits, index, digit));
            }}
            onKeyDown={(event) => {
              const next = pressedIn(digits, index, event.key);
              if (next) event.preventDefault();
              change(next);
            }}
            onPaste={(event) => {
              event.preventDefault();
              change(pastedInto(digits, event.clipboardData.getData("text"), shareId));
            }}
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
