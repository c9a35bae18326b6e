import { CARD, CARD_CAPTION, CARD_FACE, type Engraving } from "../../shared/card.ts";
import { type EngravedCode, engravedCode } from "./engraved-code.ts";
import { type Outline, outline } from "./outlines.ts";

/** Something marked on a card: outlines, their place in millimetres from the top left, and millimetres a unit. */
export interface Mark {
  path: string;
  x: number;
  y: number;
  scale: number;
}

/** All that is engraved on a card. */
export interface CardFace {
  marks: Mark[];
  code: EngravedCode;
  /** The side of one module of its code, in millimetres. */
  module: number;
}

/** Lays out a card's face: name, dates, code, and what to do with it, all as outlines. */
export function cardFace(engraving: Engraving, link: string): CardFace {
  const code = engravedCode(link);
  const { qr, name, dates, caption, horizon } = CARD_FACE;
  const module = qr.side / code.size;
  const marks: Mark[] = [{ path: horizon.path, x: (CARD.width - horizon.width) / 2, y: horizon.y, scale: 1 }];
  const lines = nameLines(engraving.name);
  lines.forEach((line, at) => {
    marks.push(centred(line, name.y + (at - (lines.length - 1) / 2) * name.line));
  });
  if (engraving.dates) marks.push(centred(fitted(engraving.dates, dates.size), dates.y));
  marks.push(centred(fitted(CARD_CAPTION[engraving.language], caption.size), caption.y));
  marks.push({
    // On the dark finish what is engraved is the lighter part, and scanners want dark on light.
    path: engraving.finish === "black" ? code.light : code.dark,
    x: (CARD.width - qr.side) / 2,
    y: qr.y,
    scale: module,
  });
  return { marks, code, module };
}

const centred = ({ path, width }: Outline, y: number): Mark => ({ path, x: (CARD.width - width) / 2, y, scale: 1 });

/** A line no wider than the card's room for words: smaller where it has to be. */
function fitted(text: string, size: number): Outline {
  const whole = outline(text, size);
  return whole.width <= CARD_FACE.width ? whole : outline(text, (size * CARD_FACE.width) / whole.width);
}

/** A name in one line, or in the two that are most alike in length where one would be too small. */
function nameLines(text: string): Outline[] {
  if (!text) return [];
  const { size, smallest } = CARD_FACE.name;
  const one = outline(text, size);
  if (one.width <= CARD_FACE.width * (size / smallest)) return [fitted(text, size)];
  const words = text.split(" ");
  const splits = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length));
  const [best] = splits.sort((a, b) => longest(a) - longest(b));
  return (best ?? [text]).map((line) => fitted(line, smallest));
}
