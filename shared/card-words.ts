import type { Engraving } from "./card.ts";
import { CARD_CAPTION, CARD_FACE } from "./card-face.ts";

/** A centred line of text on a card; baseline and size in millimetres. */
export interface CardLine {
  text: string;
  y: number;
  size: number;
}

/** Measures a text of a given size; both in millimetres. */
export type Measure = (text: string, size: number) => number;

/**
 * Returns the lines of text on a card. The engraver and the shop's preview use the same lines. A name has two lines if
 * one would be too small. Text that is too wide is reduced.
 */
export function cardWords(engraving: Pick<Engraving, "name" | "dates" | "language">, widthOf: Measure): CardLine[] {
  const { name, dates, caption } = CARD_FACE;
  const fitted = (text: string, size: number, y: number): CardLine => {
    const width = widthOf(text, size);
    return { text, y, size: width <= CARD_FACE.width ? size : (size * CARD_FACE.width) / width };
  };
  const nameLines = () => {
    const fits = widthOf(engraving.name, name.size) <= CARD_FACE.width * (name.size / name.smallest);
    const halves = fits ? undefined : inTwo(engraving.name);
    if (!halves) return [fitted(engraving.name, name.size, name.y)];
    return halves.map((half, at) => fitted(half, name.smallest, name.y + (at - 0.5) * name.line));
  };
  return [
    ...(engraving.name ? nameLines() : []),
    ...(engraving.dates ? [fitted(engraving.dates, dates.size, dates.y)] : []),
    fitted(CARD_CAPTION[engraving.language], caption.size, caption.y),
  ];
}

/** Splits a text between two words into parts of similar length; returns undefined for a single word. */
function inTwo(text: string): [string, string] | undefined {
  const parts = text.split(" ");
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));
  return parts
    .slice(1)
    .map((_, at): [string, string] => [parts.slice(0, at + 1).join(" "), parts.slice(at + 1).join(" ")])
    .toSorted((a, b) => longest(a) - longest(b))[0];
}
