import { expect, test } from "vitest";
import { NO_DIGITS, pastedInto, pinOf, pressedIn, typedInto } from "./pin-digits.ts";

const LINK = "AbCdEfGhIjKlMnOpQrStUv";

test("each digit fills its box and moves on, until the PIN is complete", () => {
  let digits = NO_DIGITS;
  for (const [at, digit] of [..."0417"].entries()) {
    expect(pinOf(digits)).toBeUndefined();
    const next = typedInto(digits, at, digit);
    expect(next?.focus).toBe(Math.min(at + 1, 3));
    digits = next?.digits ?? [];
  }
  expect(pinOf(digits)).toBe("0417");
});

test.each([
  ["a whole PIN", "0417", ["0", "4", "1", "7"]],
  ["digits of another script", "٠٤١٧", ["0", "4", "1", "7"]],
  ["two digits from a keyboard's suggestion", "41", ["0", "4", "1", ""]],
])("a box takes %s", (_what, value, digits) => {
  expect(typedInto(["0", "", "", ""], value.length === 2 ? 1 : 2, value)?.digits).toEqual(digits);
});

test("a box with a digit takes the new one that a phone wrote beside it", () => {
  expect(typedInto(["4", "", "", ""], 0, "47")).toEqual({ digits: ["7", "", "", ""], focus: 1 });
});

test("letters change nothing, and an emptied box is empty", () => {
  expect(typedInto(NO_DIGITS, 0, "a")).toBeUndefined();
  expect(typedInto(["0", "4", "", ""], 1, "")).toEqual({ digits: ["0", "", "", ""], focus: 1 });
});

test("a pasted message gives the PIN of this link, and never one of another", () => {
  const message = (id: string) => `Rosa's photos: https://skies.example/shared/${id}\nPIN: 0417`;
  expect(pinOf(pastedInto(["9", "", "", ""], message(LINK), LINK)?.digits ?? NO_DIGITS)).toBe("0417");
  expect(pastedInto(NO_DIGITS, message("ZyXwVuTsRqPoNmLkJiHgFe"), LINK)).toBeUndefined();
  expect(pastedInto(NO_DIGITS, "Call me at 0417 99 88", LINK)).toBeUndefined();
  expect(pastedInto(NO_DIGITS, " 0 4-1 7\n", LINK)).toEqual({ digits: ["0", "4", "1", "7"], focus: 3 });
});

test("arrows move between the boxes, and backspace clears the box or the one before", () => {
  const digits = ["0", "4", "", ""];
  expect(pressedIn(digits, 1, "ArrowLeft")?.focus).toBe(0);
  expect(pressedIn(digits, 3, "ArrowRight")?.focus).toBe(3);
  expect(pressedIn(digits, 2, "Home")).toEqual({ digits, focus: 0 });
  expect(pressedIn(digits, 2, "Backspace")).toEqual({ digits: ["0", "", "", ""], focus: 1 });
  expect(pressedIn(digits, 0, "Backspace")).toEqual({ digits: ["", "4", "", ""], focus: 0 });
  expect(pressedIn(digits, 0, "Enter")).toBeUndefined();
});
