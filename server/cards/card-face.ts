import { CARD, CARD_FACE, type Engraving } from "../../shared/card.ts";
import { cardWords } from "../../shared/card-words.ts";
import { type EngravedCode, engravedCode } from "./engraved-code.ts";
import { outline } from "./outlines.ts";

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
  const { qr, horizon } = CARD_FACE;
  const module = qr.side / code.size;
  const words = cardWords(engraving, (text, size) => outline(text, size).width);
  const marks: Mark[] = [
    { path: horizon.path, x: (CARD.width - horizon.width) / 2, y: horizon.y, scale: 1 },
    ...words.map(({ text, y, size }): Mark => {
      const { path, width } = outline(text, size);
      return { path, x: (CARD.width - width) / 2, y, scale: 1 };
    }),
    {
      // On the dark finish what is engraved is the lighter part, and scanners want dark on light.
      path: engraving.finish === "black" ? code.light : code.dark,
      x: (CARD.width - qr.side) / 2,
      y: qr.y,
      scale: module,
    },
  ];
  return { marks, code, module };
}
