import type { QrMatrix } from "../../../lib/qr/qr-code.ts";
import { type Block, directionOf, type Measure, setColumn, setLines } from "../fit-text.ts";
import type { Box, Item, Page } from "../sheets.ts";

/** How an order of service is printed: folded to A5, as pages of A4, or as single pages of A5 for a print shop. */
export const SERVICE_FORMATS = ["folded", "a4", "a5"] as const;
export type ServiceFormat = (typeof SERVICE_FORMATS)[number];

/** An entry as it is printed. */
export interface PrintedEntry {
  /** What it is, e.g. "Hymn"; empty for none. */
  label: string;
  title: string;
  by: string;
  text: string;
}

export interface Service {
  name: string;
  dates: string;
  heading: string;
  /** Parts of the day with time and place, one in each line. */
  when: string;
  entries: readonly PrintedEntry[];
  closing: string;
  /** The code on the last page. */
  code?: { url: string; hint: string; secret: string };
}

interface ServiceTools {
  measure: Measure;
  matrixOf: (url: string, side: number) => QrMatrix | undefined;
}

interface Measures {
  width: number;
  height: number;
  margin: number;
  /** The size of running text. */
  text: number;
}

const A5: Measures = { width: 148, height: 210, margin: 15, text: 3.7 };
const A4: Measures = { width: 210, height: 297, margin: 24, text: 4.4 };
const LARGE = 1.3;
const CODE_SIDE = 38;

/** A piece of the running text that stays together. */
interface Piece {
  height: number;
  items: Item[];
  /** Whether the next piece must be on the same page. */
  staysWithNext: boolean;
}

/** The pages in the order in which they are read. A folded one has as many as fit on its sheets. */
export function serviceReadingPages(
  service: Service,
  format: ServiceFormat,
  large: boolean,
  tools: ServiceTools,
): Page[] {
  const base = format === "a4" ? A4 : A5;
  const measures = { ...base, text: base.text * (large ? LARGE : 1) };
  const flowing = flow(service.entries, measures, tools.measure);
  const cover = coverItems(service, measures, tools.measure);
  const back = backItems(service, measures, tools);
  const pages = [cover, ...flowing, ...(back.length > 0 ? [back] : [])];
  if (format !== "a4") {
    const missing = (4 - (pages.length % 4)) % 4;
    // Empty pages are before the last one, which is the back of the booklet.
    pages.splice(back.length > 0 ? pages.length - 1 : pages.length, 0, ...Array.from({ length: missing }, () => []));
  }
  const { width, height } = measures;
  return pages.map((items) => ({ width, height, items }));
}

/** The sides of A4 sheets that are folded once in the middle, printed on both sides and put into each other. */
export function foldedSheets(pages: readonly Page[]): Page[] {
  const count = pages.length;
  const side = (inner: number, right: number): Page => ({
    width: A4.height,
    height: A4.width,
    items: [
      ...(pages[inner]?.items ?? []).map((item) => moved(item, A4.height / 2 - A5.width, 0)),
      ...(pages[right]?.items ?? []).map((item) => moved(item, A4.height / 2, 0)),
    ],
  });
  return Array.from({ length: count / 4 }, (_, sheet) => [
    side(count - 1 - 2 * sheet, 2 * sheet),
    side(2 * sheet + 1, count - 2 - 2 * sheet),
  ]).flat();
}

function moved(item: Item, x: number, y: number): Item {
  if (item.kind === "text") return { ...item, x: item.x + x, baseline: item.baseline + y };
  if (item.kind === "fill") return { ...item, box: { ...item.box, x: item.box.x + x, y: item.box.y + y } };
  if (item.kind === "code") return { ...item, x: item.x + x, y: item.y + y };
  const [from, to] = [item.from, item.to].map(([left = 0, top = 0]) => [left + x, top + y] as const);
  return { ...item, from: from ?? item.from, to: to ?? item.to };
}

const innerBox = ({ width, height, margin }: Measures): Box => ({
  x: margin,
  y: margin,
  width: width - 2 * margin,
  height: height - 2 * margin,
});

function coverItems({ name, dates, heading, when }: Service, measures: Measures, measure: Measure): Item[] {
  const box = innerBox(measures);
  const unit = measures.text;
  const upper = { ...box, height: box.height * 0.62 };
  const lower = { ...box, y: box.y + box.height * 0.68, height: box.height * 0.32 };
  const y = box.y + box.height * 0.65;
  const middle = box.x + box.width / 2;
  const rule: Item = {
    kind: "line",
    from: [middle - box.width * 0.14, y],
    to: [middle + box.width * 0.14, y],
    width: 0.2,
  };
  return [
    ...setColumn(
      [
        { text: heading, face: "sans", size: unit * 1.25 },
        { text: name, face: "serif", size: unit * 3, gap: 0.5 },
        { text: dates, face: "serif", size: unit * 1.3, gap: 0.8 },
      ],
      upper,
      measure,
    ),
    ...(when ? [rule] : []),
    ...setColumn([{ text: when, face: "serif", size: unit * 1.1 }], lower, measure),
  ];
}

function backItems({ closing, code }: Service, measures: Measures, { measure, matrixOf }: ServiceTools): Item[] {
  const box = innerBox(measures);
  const unit = measures.text;
  const matrix = code && matrixOf(code.url, CODE_SIDE);
  if (!closing.trim() && !matrix) return [];
  const textBox = matrix ? { ...box, height: box.height * 0.5 } : box;
  const thanks = setColumn([{ text: closing, face: "serif", size: unit * 1.25 }], textBox, measure);
  if (!code || !matrix) return thanks;
  const x = box.x + (box.width - CODE_SIDE) / 2;
  const y = box.y + box.height * 0.55;
  const below = { ...box, y: y + CODE_SIDE, height: Math.min(box.height * 0.45 - CODE_SIDE, unit * 6) };
  const lines: Block[] = [
    { text: code.hint, face: "sans", size: unit * 0.95 },
    { text: code.secret, face: "sans", size: unit * 1.05, gap: 0.4 },
  ];
  return [...thanks, { kind: "code", x, y, side: CODE_SIDE, matrix }, ...setColumn(lines, below, measure)];
}

/** Breaks the entries into pages. A heading is never the last line of a page. */
function flow(entries: readonly PrintedEntry[], measures: Measures, measure: Measure): Item[][] {
  const box = innerBox(measures);
  const pages: Item[][] = [];
  let page: Item[] = [];
  let y = 0;
  const pieces = entries.flatMap((entry) => piecesOf(entry, measures, measure));
  for (let at = 0; at < pieces.length; ) {
    // What stays together, unless it is higher than a page.
    let end = at;
    while (pieces[end]?.staysWithNext && end + 1 < pieces.length) end++;
    const group = pieces.slice(at, end + 1);
    const height = group.reduce((sum, piece) => sum + piece.height, 0);
    if (y > 0 && y + height > box.height) {
      pages.push(page);
      page = [];
      y = 0;
    }
    for (const piece of group) {
      if (y > 0 && y + piece.height > box.height) {
        pages.push(page);
        page = [];
        y = 0;
      }
      // An empty line at the top of a page is left out.
      if (y > 0 || piece.items.length > 0) {
        page.push(...piece.items.map((item) => moved(item, box.x, box.y + y)));
        y += piece.height;
      }
    }
    at = end + 1;
  }
  if (page.length > 0) pages.push(page);
  return pages;
}

function piecesOf({ label, title, by, text }: PrintedEntry, measures: Measures, measure: Measure): Piece[] {
  const { text: unit } = measures;
  const { width } = innerBox(measures);
  // All of an entry is on one side, also what is said in another script.
  const direction = directionOf(title || text || by || label);
  const lines = (block: Block, staysWithNext: boolean): Piece[] =>
    block.text.trim() === ""
      ? []
      : setLines(block, width, measure, direction).map((line) => ({ ...line, staysWithNext }));
  const space = (height: number, staysWithNext: boolean): Piece => ({ height, items: [], staysWithNext });
  const paragraphs = text.trim() === "" ? [] : text.trim().split("\n");
  const body = paragraphs.flatMap((line, at) =>
    line.trim() === ""
      ? [space(unit * 0.75, false)]
      : lines({ text: line.trim(), face: "serif", size: unit }, at === 0 && paragraphs.length > 1),
  );
  return [
    ...lines({ text: label, face: "sans", size: unit * 0.82 }, true),
    ...lines({ text: title, face: "serif", size: unit * 1.35 }, by.trim() !== "" || body.length > 0),
    ...lines({ text: by, face: "sans", size: unit * 0.9 }, body.length > 0),
    ...(body.length > 0 ? [space(unit * 0.5, true), ...body] : []),
    space(unit * 1.7, false),
  ];
}
