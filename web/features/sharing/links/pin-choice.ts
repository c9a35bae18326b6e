import { PIN_LENGTH } from "../../../../shared/pin.ts";

/** Returns whether a PIN is easy to guess: one or two repeated digits (1111, 1212, 1122), a sequence, or a year. */
export function isEasyPin(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10);
  const row = steps.every((step) => step === steps[0]) && [0, 1, 9].includes(steps[0] ?? 0);
  const pairs = pin.slice(0, 2) === pin.slice(2) || (pin[0] === pin[1] && pin[2] === pin[3]);
  const year = Number(pin) >= 1850 && Number(pin) < 2050;
  return row || pairs || year;
}

/** Returns a random PIN that is not easy to guess. `random` returns 32-bit integers. */
export function randomPin(random: () => number = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0): string {
  for (;;) {
    const pin = String(random() % 10 ** PIN_LENGTH).padStart(PIN_LENGTH, "0");
    if (!isEasyPin(pin)) return pin;
  }
}
