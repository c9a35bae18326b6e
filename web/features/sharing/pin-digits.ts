import { PIN_LENGTH } from "../../../shared/pin.ts";
import { pinIn } from "../../../shared/typed-pin.ts";
import { asciiDigits } from "../../../shared/typed-text.ts";

/** The digits in a PIN's boxes, each one digit or empty, and the box that has the focus next. */
export interface PinDigits {
  digits: readonly string[];
  focus: number;
}

export const NO_DIGITS: readonly string[] = Array(PIN_LENGTH).fill("");

/** The PIN in the boxes; undefined while a digit is missing. */
export const pinOf = (digits: readonly string[]) => (digits.every(Boolean) ? digits.join("") : undefined);

/** The digits of a text that was typed, pasted or filled in: one digit, or a PIN. Other text is not guessed at. */
const digitsIn = (text: string, shareId?: string) =>
  /^\p{Nd}{0,3}$/u.test(text) ? asciiDigits(text) : (pinIn(text, shareId) ?? "");

function filled(digits: readonly string[], from: number, typed: string): PinDigits {
  const next = [...digits];
  for (const [offset, digit] of [...typed].slice(0, PIN_LENGTH - from).entries()) next[from + offset] = digit;
  return { digits: next, focus: Math.min(PIN_LENGTH - 1, from + typed.length) };
}

const cleared = (digits: readonly string[], at: number): PinDigits => ({
  digits: digits.map((digit, index) => (index === at ? "" : digit)),
  focus: at,
});

/**
 * The boxes after a box received `value`: a digit moves the focus on, and a whole PIN fills all boxes. A message is
 * read for the PIN of the link `shareId`. Undefined if there is no digit in it.
 */
export function typedInto(digits: readonly string[], at: number, value: string, shareId?: string) {
  const typed = digitsIn(value, shareId);
  if (value === "") return cleared(digits, at);
  if (typed === "") return undefined;
  if (typed.length === PIN_LENGTH) return filled(digits, 0, typed);
  // The box may contain the old digit beside the new one, because some phones send no key events.
  const old = digits[at];
  return filled(digits, at, typed.length > 1 && old && typed.startsWith(old) ? typed.slice(1) : typed);
}

/** The boxes after a text was pasted into any of them; undefined if it contains no digits of a PIN. */
export function pastedInto(digits: readonly string[], text: string, shareId?: string) {
  const pasted = digitsIn(text.trim(), shareId);
  return pasted ? filled(digits, 0, pasted) : undefined;
}

/** The boxes after a key that is no digit: arrows move the focus, backspace clears. Undefined for other keys. */
export function pressedIn(digits: readonly string[], at: number, key: string): PinDigits | undefined {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: PIN_LENGTH - 1 }[key];
  if (to !== undefined) return { digits, focus: Math.min(PIN_LENGTH - 1, Math.max(0, to)) };
  return key === "Backspace" ? cleared(digits, digits[at] === "" ? Math.max(0, at - 1) : at) : undefined;
}
