import type { QrMatrix } from "../../lib/qr/qr-code.ts";

/** What can be printed: sheets of A4 with 4, 8 or 10 cards, signs, and sheets of place cards. */
export const FORMATS = ["cards4", "cards8", "cards10", "a5", "a4", "a3", "places"] as const;
export type Format = (typeof FORMATS)[number];

/** A rectangle in millimetres, from the top left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Typefaces of printed text: for names and texts, and for small lines. */
export type Face = "serif" | "sans";

/** Marks on a page. All lengths are in millimetres, from the top left. */
export type Item =
  | { kind: "code"; x: number; y: number; side: number; matrix: QrMatrix }
  | {
      kind: "text";
      text: string;
      x: number;
      baseline: number;
      size: number;
      face: Face;
      align: Alignment;
      /** The direction of the paragraph, for lines of several scripts. */
      direction: Direction;
    }
  | { kind: "line"; from: readonly [x: number, y: number]; to: readonly [x: number, y: number]; width: number }
  | { kind: "fill"; box: Box; colour: Colour };

/** `left` and `right` name the side of the page at which `x` is. */
export type Alignment = "left" | "center" | "right";
export type Direction = "ltr" | "rtl";
export type Colour = "white" | "warm" | "cool" | "guide";

export interface Page {
  width: number;
  height: number;
  /** The finished size, of a page that is cut on all sides. */
  trim?: Box;
  items: Item[];
}

/** How far a coloured ground runs over the cut. */
export const BLEED = 3;
const A4 = { width: 210, height: 297 };
const GRIDS = {
  cards4: { columns: 2, rows: 2, width: 90, height: 130 },
  cards8: { columns: 2, rows: 4, width: 90, height: 65 },
  cards10: { columns: 2, rows: 5, width: 90, height: 50 },
  places: { columns: 2, rows: 5, width: 90, height: 50 },
} as const;
const SIGNS = {
  a5: { width: 148, height: 210 },
  a4: A4,
  a3: { width: 297, height: 420 },
} as const;

const MARK = { gap: 4, length: 4, width: 0.09 } as const;
/** Around a sign with marks, for the bleed and the marks. */
const MARGIN = 10;
const GUIDE_WIDTH = 0.1;

export interface Sheet {
  width: number;
  height: number;
  /** Where the cards are, row by row; the whole page for a sign. */
  cards: Box[];
  /** The finished size of a sign. */
  trim?: Box;
  marks: Item[];
}

/**
 * The empty sheet of a format. With `bleed`, cards are 6 mm apart and have crop marks, and a sign's page is larger than
 * the sign. Without it, cards share their cuts, which are thin lines.
 */
export function sheetOf(format: Format, bleed: boolean): Sheet {
  if (format === "a5" || format === "a4" || format === "a3") {
    const { width, height } = SIGNS[format];
    if (!bleed) return { width, height, cards: [{ x: 0, y: 0, width, height }], marks: [] };
    const trim = { x: MARGIN, y: MARGIN, width, height };
    const marks = cropMarks([trim.x, trim.x + width], [trim.y, trim.y + height]);
    return { width: width + 2 * MARGIN, height: height + 2 * MARGIN, cards: [trim], trim, marks };
  }
  const { columns, rows, width, height } = GRIDS[format];
  const gap = bleed ? 2 * BLEED : 0;
  const margin = (A4.width - columns * width - (columns - 1) * gap) / 2;
  const top = (A4.height - rows * height - (rows - 1) * gap) / 2;
  const cards = Array.from({ length: columns * rows }, (_, at) => ({
    x: margin + (at % columns) * (width + gap),
    y: top + Math.floor(at / columns) * (height + gap),
    width,
    height,
  }));
  const xs = [...new Set(cards.flatMap(({ x }) => [x, x + width]))];
  const ys = [...new Set(cards.flatMap(({ y }) => [y, y + height]))];
  return { ...A4, cards, marks: bleed ? cropMarks(xs, ys) : guides(xs, ys) };
}

/** Crop marks outside of the outermost cuts. */
function cropMarks(xs: readonly number[], ys: readonly number[]): Item[] {
  const ends = (values: readonly number[]) => [
    [Math.min(...values) - MARK.gap - MARK.length, Math.min(...values) - MARK.gap] as const,
    [Math.max(...values) + MARK.gap, Math.max(...values) + MARK.gap + MARK.length] as const,
  ];
  const line = (from: readonly [number, number], to: readonly [number, number]): Item => ({
    kind: "line",
    from,
    to,
    width: MARK.width,
  });
  return [
    ...xs.flatMap((x) => ends(ys).map(([from, to]) => line([x, from], [x, to]))),
    ...ys.flatMap((y) => ends(xs).map(([from, to]) => line([from, y], [to, y]))),
  ];
}

/** Thin lines along which cards are cut by hand. */
function guides(xs: readonly number[], ys: readonly number[]): Item[] {
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const half = GUIDE_WIDTH / 2;
  const fill = (x: number, y: number, width: number, height: number): Item => ({
    kind: "fill",
    box: { x, y, width, height },
    colour: "guide",
  });
  return [
    ...xs.map((x) => fill(x - half, top, GUIDE_WIDTH, bottom - top)),
    ...ys.map((y) => fill(left, y - half, right - left, GUIDE_WIDTH)),
  ];
}
