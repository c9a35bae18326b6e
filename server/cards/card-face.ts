import QRCode from "qrcode";
import type { Engraving } from "../../shared/card.ts";
import { CARD, CARD_FACE } from "../../shared/card-face.ts";
import { cardWords } from "../../shared/card-words.ts";
import { outline } from "./outlines.ts";

/** Outlines with their offset in millimetres from the top left, and millimetres per unit. */
export interface Mark {
  path: string;
  x: number;
  y: number;
  scale: number;
}

/** The engraving of a card. */
export interface CardFace {
  marks: Mark[];
  code: EngravedCode;
  /** The side of one module of its code, in millimetres. */
  module: number;
}

/** Lays out a card's face as outlines: name, dates, code and instruction. */
export function cardFace(engraving: Engraving, link: string): CardFace {
  const code = engravedCode(link);
  const { qr, horizon } = CARD_FACE;
  const module = qr.side / code.size;
  const lines = cardWords(engraving, (text, size) => outline(text, size).width);
  const marks: Mark[] = [
    { path: horizon.path, x: (CARD.width - horizon.width) / 2, y: horizon.y, scale: 1 },
    ...lines.map(({ text, y, size }): Mark => {
      const { path, width } = outline(text, size);
      return { path, x: (CARD.width - width) / 2, y, scale: 1 };
    }),
    {
      // On the dark finish engraved parts are lighter, and scanners need a dark code on a light ground.
      path: engraving.finish === "black" ? code.light : code.dark,
      x: (CARD.width - qr.side) / 2,
      y: qr.y,
      scale: module,
    },
  ];
  return { marks, code, module };
}

/** Light modules around the code, without which scanners do not find it. */
const QUIET = 4;

/** An engraved QR code. */
interface EngravedCode {
  /** Modules a side, the quiet zone included. */
  size: number;
  /** The error correction level: H tolerates a third of damage, Q a quarter. */
  correction: "H" | "Q";
  /** SVG path data of the dark or of the light modules, one unit per module. */
  dark: string;
  light: string;
}

/** Encodes a link as a QR code with error correction H, or with Q if H needs modules that are too fine to scan well. */
function engravedCode(link: string): EngravedCode {
  const high = QRCode.create(link, { errorCorrectionLevel: "H" });
  // Version 5 has 37 modules a side. In higher versions, the modules on a card become too fine.
  const correction = high.version <= 5 ? "H" : "Q";
  const { modules } = correction === "H" ? high : QRCode.create(link, { errorCorrectionLevel: "Q" });
  const size = modules.size + 2 * QUIET;
  const inside = (at: number) => at >= QUIET && at < modules.size + QUIET;
  const isDark = (x: number, y: number) => inside(x) && inside(y) && modules.get(y - QUIET, x - QUIET) === 1;
  return {
    size,
    correction,
    dark: pathOf(size, isDark),
    light: pathOf(size, (x, y) => !isDark(x, y)),
  };
}

/** Modules as non-overlapping rectangles: laser and press mark each point once. */
function pathOf(size: number, marked: (x: number, y: number) => boolean): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let run = 0;
      while (x + run < size && marked(x + run, y)) run++;
      if (run > 0) path += `M${x} ${y}L${x + run} ${y}L${x + run} ${y + 1}L${x} ${y + 1}Z`;
      x += run;
    }
  }
  return path;
}
