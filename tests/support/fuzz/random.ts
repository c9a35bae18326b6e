/** A random generator that repeats for a seed (mulberry32), with functions to choose. */
export class Random {
  #state: number;
  /** How rare {@link once} is: at 1 as its callers say; less makes rare choices frequent, the rarest most of all. */
  rarity = 1;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True once in so many times, on average. */
  once(times: number): boolean {
    return this.below(Math.ceil(times ** this.rarity)) === 0;
  }

  pick<One>(choices: readonly One[]): One {
    return choices[this.below(choices.length)] as One;
  }

  /** Up to `most` generated items. */
  some<One>(most: number, make: () => One): One[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

/** Texts that end a name, value, list or string too early in some language. */
const SHARP = [
  ..."'\"`\\;,.:()[]{}<>|&=*%$#@!?~^+-/_ \t\n\r",
  "--",
  "/*",
  "*/",
  "..",
  "../",
  "%00",
  "%0a",
  "%0d%0a",
  "%2e%2e%2f",
  "%ff",
  "%c0%ae",
  "\u0000",
  "\uFFFE",
  "\u202E",
  "null",
  "NaN",
  "Infinity",
  "true",
  "0x0",
  "1e999",
  "-1",
  "9223372036854775808",
  "__proto__",
  "constructor",
  "$1",
  "$$",
  "{{1}}",
  "%s",
  "\\u0000",
  "🙈",
  "é",
  "İ",
  "ß",
  "\ud800",
];

/** A text with a few characters removed, doubled or replaced by special ones. */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(mutated.length + 1);
    const until = Math.min(mutated.length, at + random.below(6));
    const between = random.pick(["", random.pick(SHARP), mutated.slice(at, until).repeat(2)]);
    mutated = mutated.slice(0, at) + between + mutated.slice(until);
  }
  return mutated;
}

const WORDS = ["a", "", "  ", "Rosa", "x".repeat(300), "<b>x</b>", "2024-02-30", "infinity", "{1,2}", "[1,2)", "a & b"];

/** A value as a hostile client might send it. */
export function anyValue(random: Random, vocabulary: readonly string[], depth = 0): unknown {
  const kinds = [
    () => random.pick(vocabulary),
    () => random.pick(WORDS),
    () => mutate(random, random.pick([...vocabulary, ...WORDS])),
    () => random.pick([0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, Number.MIN_VALUE]),
    () => random.pick([true, false, null]),
    () => random.some(3, () => anyValue(random, vocabulary, depth + 1)),
    () => Object.fromEntries(random.some(3, () => [random.pick(WORDS), anyValue(random, vocabulary, depth + 1)])),
  ];
  return random.pick(depth > 3 ? kinds.slice(0, 5) : kinds)();
}
