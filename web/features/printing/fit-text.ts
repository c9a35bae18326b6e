import type { Box, Direction, Face, Item } from "./sheets.ts";

/** Measures a text at the size of one millimetre. */
export type Measure = (text: string, face: Face) => { width: number; ascent: number; descent: number };

/** A paragraph of a column. */
export interface Block {
  text: string;
  face: Face;
  /** The size in millimetres if everything fits. */
  size: number;
  /** The distance to the block above, relative to this block's size. */
  gap?: number;
}

/** Relative to the size of the text. */
const LINE = 1.28;
const BASELINE = 0.98;
/** More distance between the lines of running text. */
const LEADING = 0.07;
/** Whole words shrink to this part of their size before they are broken. */
const SMALLEST_WITH_WHOLE_WORDS = 0.5;
const SMALLEST = 0.12;
const STEPS = 14;
const BALANCING_STEPS = 5;

/** Scripts whose words are not divided by spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const graphemes = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** The direction of a text: that of its first letter. */
export function directionOf(text: string): Direction {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/** The pieces of a line between which it may be broken; spaces are at the ends of pieces. */
function piecesOf(line: string): string[] {
  return (line.match(/\s*\S+\s*/g) ?? []).flatMap((word) => {
    if (!UNSPACED.test(word)) return [word];
    const pieces: string[] = [];
    for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(word)) {
      // Punctuation stays with the word before it.
      if (isWordLike || pieces.length === 0) pieces.push(segment);
      else pieces[pieces.length - 1] += segment;
    }
    return pieces;
  });
}

/** Breaks a text into lines; undefined if a word is too wide for a line and may not be broken. */
function linesOf(text: string, fits: (line: string) => boolean, breaksWords: boolean): string[] | undefined {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const piece of piecesOf(paragraph)) {
      if (fits((line + piece).trimEnd())) {
        line += piece;
        continue;
      }
      if (line !== "") lines.push(line.trim());
      line = piece;
      if (fits(piece.trim())) continue;
      if (!breaksWords) return undefined;
      line = "";
      for (const letter of graphemes(piece)) {
        if (line !== "" && !fits(line + letter)) {
          lines.push(line);
          line = "";
        }
        line += letter;
      }
    }
    lines.push(line.trim());
  }
  return lines;
}

/** Breaks a text into as many lines as it needs, all about equally long. */
function balancedLines(text: string, widthOf: (line: string) => number, width: number, breaksWords: boolean) {
  const linesAt = (narrowed: number) => linesOf(text, (line) => widthOf(line) <= narrowed, breaksWords);
  let best = linesAt(width);
  if (!best || best.length === 1) return best;
  let [low, high] = [width / 2, width];
  for (let step = 0; step < BALANCING_STEPS; step++) {
    const middle = (low + high) / 2;
    const lines = linesAt(middle);
    if (lines?.length === best.length) [high, best] = [middle, lines];
    else low = middle;
  }
  return best;
}

/** The height of a line and of its baseline. Letters of some scripts are taller than ours. */
function lineBox(line: string, face: Face, size: number, measure: Measure) {
  const { ascent, descent } = measure(line, face);
  const baseline = Math.max(BASELINE, ascent * 1.04) * size;
  return { baseline, height: baseline + Math.max(LINE - BASELINE, descent * 1.04) * size };
}

interface Column {
  lines: {
    text: string;
    face: Face;
    size: number;
    direction: Direction;
    gap: number;
    height: number;
    baseline: number;
  }[];
  height: number;
}

/** Sets the blocks at a part of their sizes; undefined if they do not fit. */
function columnAt(blocks: readonly Block[], box: Box, measure: Measure, scale: number, breaksWords: boolean) {
  const column: Column = { lines: [], height: 0 };
  for (const [at, { text, face, size: full, gap = 0 }] of blocks.entries()) {
    const size = full * scale;
    const lines = balancedLines(text, (line) => measure(line, face).width * size, box.width, breaksWords);
    if (!lines) return undefined;
    for (const [number, line] of lines.entries()) {
      const { baseline, height } = lineBox(line, face, size, measure);
      const above = number === 0 && at > 0 ? gap * size : 0;
      column.lines.push({ text: line, face, size, direction: directionOf(text), gap: above, height, baseline });
      column.height += above + height;
    }
    if (column.height > box.height) return undefined;
  }
  return column;
}

/** A block whose longest word fits, as far as its own size may shrink for it, so that other blocks keep theirs. */
function withWholeWords(block: Block, { width }: Box, measure: Measure): Block {
  const widths = block.text
    .split("\n")
    .flatMap(piecesOf)
    .map((piece) => measure(piece.trim(), block.face).width);
  const fitting = width / Math.max(...widths, 0.01);
  return { ...block, size: Math.min(block.size, Math.max(fitting, block.size * SMALLEST_WITH_WHOLE_WORDS)) };
}

/** The blocks at the largest part of their sizes at which they fit. */
function largestColumn(blocks: readonly Block[], box: Box, measure: Measure): Column {
  for (const [smallest, breaksWords] of [
    [SMALLEST_WITH_WHOLE_WORDS, false],
    [SMALLEST, true],
  ] as const) {
    const whole = columnAt(blocks, box, measure, 1, breaksWords);
    if (whole) return whole;
    let low: number = smallest;
    let high = 1;
    let best = columnAt(blocks, box, measure, low, breaksWords);
    for (let step = 0; best && step < STEPS; step++) {
      const middle = (low + high) / 2;
      const column = columnAt(blocks, box, measure, middle, breaksWords);
      if (column) [low, best] = [middle, column];
      else high = middle;
    }
    if (best) return best;
  }
  return { lines: [], height: 0 };
}

/**
 * Sets blocks of text one below the other inside a box, in its middle. What is too long is broken into lines, and all
 * blocks shrink together until they fit.
 */
export function setColumn(blocks: readonly Block[], box: Box, measure: Measure): Item[] {
  const column = largestColumn(
    blocks.filter(({ text }) => text.trim() !== "").map((block) => withWholeWords(block, box, measure)),
    box,
    measure,
  );
  let y = box.y + (box.height - column.height) / 2;
  return column.lines.map(({ gap, height, baseline, ...line }): Item => {
    const item: Item = {
      kind: "text",
      ...line,
      align: "center",
      x: box.x + box.width / 2,
      baseline: y + gap + baseline,
    };
    y += gap + height;
    return item;
  });
}

/** Sets lines of text at one size from the side at which this direction begins; each begins at the height 0. */
export function setLines({ text, face, size }: Block, width: number, measure: Measure, direction: Direction) {
  const isLeft = direction === "ltr";
  const lines = linesOf(text, (line) => measure(line, face).width * size <= width, true) ?? [];
  return lines.map((line): { items: Item[]; height: number } => {
    const { baseline, height } = lineBox(line, face, size, measure);
    const align = isLeft ? "left" : "right";
    const item: Item = { kind: "text", text: line, face, size, direction, align, x: isLeft ? 0 : width, baseline };
    return { items: [item], height: height + size * LEADING };
  });
}
