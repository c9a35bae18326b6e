import type { QrMatrix } from "../../lib/qr/qr-code.ts";
import { type Block, type Measure, setColumn } from "./fit-text.ts";
import { BLEED, type Box, type Format, type Item, type Page, sheetOf } from "./sheets.ts";

export const DESIGNS = ["plain", "frame", "tint"] as const;
export type Design = (typeof DESIGNS)[number];

/** What a card or sign says. */
export interface Card {
  /** The name of a table, or of the person at a place. */
  name: string;
  title: string;
  message: string;
  hint: string;
  /** The link's PIN or passphrase with its label, or nothing. */
  secret: string;
  /** The address of the code; without it, the card has none. */
  url?: string;
}

export interface Style {
  format: Format;
  design: Design;
  bleed: boolean;
  /** The kind of memory, which chooses the tint. */
  kind: "tribute" | "event";
}

export interface Tools {
  measure: Measure;
  /** The code of an address for a side in millimetres; undefined if the address is too long for it. */
  matrixOf: (url: string, side: number) => QrMatrix | undefined;
}

/** An error of an address whose code would be too fine for the size of the cards. */
export class CodeTooSmall extends Error {
  constructor() {
    super("The address is too long for a code of this size");
  }
}

/** Lays out cards on as many sheets as they need. */
export function layOutCards(cards: readonly Card[], style: Style, tools: Tools): Page[] {
  const sheet = sheetOf(style.format, style.bleed);
  const pages: Page[] = [];
  for (let at = 0; at < cards.length; at += sheet.cards.length) {
    const printed = cards.slice(at, at + sheet.cards.length);
    const items = printed.flatMap((card, place) => itemsOf(card, sheet.cards[place] as Box, style, tools));
    const { width, height, trim } = sheet;
    pages.push({ width, height, ...(trim && { trim }), items: [...items, ...sheet.marks] });
  }
  return pages;
}

function itemsOf(card: Card, box: Box, style: Style, tools: Tools): Item[] {
  const edge = Math.min(box.width, box.height);
  const inset = Math.max(4.5, edge * 0.09);
  const inner = shrunk(box, style.design === "frame" ? inset * 1.25 : inset);
  const isPlace = style.format === "places";
  const content = isPlace
    ? placeItems(card, inner, tools)
    : box.height > box.width
      ? uprightItems(card, inner, tools)
      : wideItems(card, inner, tools);
  return [...ground(box, style, inset), ...content];
}

const shrunk = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by,
});

/** The ground of a card: nothing, a tint that runs over the cut, or a double line inside. */
function ground(box: Box, { design, bleed, kind }: Style, inset: number): Item[] {
  if (design === "tint") {
    return [{ kind: "fill", box: shrunk(box, bleed ? -BLEED : 0), colour: kind === "event" ? "warm" : "cool" }];
  }
  if (design === "plain") return [];
  return [
    ...outline(shrunk(box, inset * 0.62), Math.max(0.25, inset * 0.05)),
    ...outline(shrunk(box, inset * 0.82), Math.max(0.1, inset * 0.02)),
  ];
}

function outline({ x, y, width, height }: Box, line: number): Item[] {
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ] as const;
  return corners.map((from, at): Item => ({ kind: "line", from, to: corners[(at + 1) % 4] ?? from, width: line }));
}

/** The code on white, so that its quiet zone is white on every ground. */
function codeItems(url: string, box: Box, { matrixOf }: Tools): Item[] {
  const side = Math.min(box.width, box.height);
  const matrix = matrixOf(url, side);
  if (!matrix) throw new CodeTooSmall();
  const x = box.x + (box.width - side) / 2;
  const y = box.y + (box.height - side) / 2;
  return [
    { kind: "fill", box: { x, y, width: side, height: side }, colour: "white" },
    { kind: "code", x, y, side, matrix },
  ];
}

/** Cards and signs that are higher than wide: title and message, the code, and how to use it. */
function uprightItems(card: Card, box: Box, tools: Tools): Item[] {
  const unit = box.width;
  const blocks: Block[] = [
    { text: card.title, face: "serif", size: unit * 0.115 },
    { text: card.message, face: "serif", size: unit * 0.062, gap: 0.75 },
  ];
  const below: Block[] = [
    { text: card.hint, face: "sans", size: unit * 0.05 },
    { text: card.secret, face: "sans", size: unit * 0.06, gap: 0.35 },
    { text: card.name, face: "serif", size: unit * 0.085, gap: 0.45 },
  ];
  const side = Math.min(unit * 0.66, box.height * 0.46);
  const top = { ...box, height: (box.height - side) * 0.54 };
  const y = box.y + top.height;
  const foot = { ...box, y: y + side, height: box.height - top.height - side };
  return [
    ...setColumn(blocks, shrunkHeight(top), tools.measure),
    ...(card.url ? codeItems(card.url, { x: box.x, y, width: box.width, height: side }, tools) : []),
    ...setColumn(below, shrunkHeight(foot), tools.measure),
  ];
}

/** Keeps a little distance from the code. */
const shrunkHeight = ({ x, y, width, height }: Box): Box => ({ x, y: y + height * 0.04, width, height: height * 0.92 });

/** Cards that are wider than high: everything beside the code. */
function wideItems(card: Card, box: Box, tools: Tools): Item[] {
  const side = Math.min(box.height, box.width * 0.46);
  const column = { ...box, width: box.width - side - 3 };
  const unit = column.width;
  const blocks: Block[] = [
    { text: card.name, face: "serif", size: unit * 0.14 },
    { text: card.title, face: "serif", size: unit * 0.18, gap: 0.15 },
    { text: card.message, face: "serif", size: unit * 0.11, gap: 0.5 },
    { text: card.hint, face: "sans", size: unit * 0.08, gap: 0.7 },
    { text: card.secret, face: "sans", size: unit * 0.095, gap: 0.4 },
  ];
  const code = { x: box.x + box.width - side, y: box.y + (box.height - side) / 2, width: side, height: side };
  return [...setColumn(blocks, column, tools.measure), ...(card.url ? codeItems(card.url, code, tools) : [])];
}

/** Place cards: the name in large letters, the hosts' message below it, and an optional code beside it. */
function placeItems(card: Card, box: Box, tools: Tools): Item[] {
  const side = card.url ? 27 : 0;
  const column = { ...box, width: box.width - side - (side && 3) };
  const unit = Math.min(column.width, 50);
  const blocks: Block[] = [
    { text: card.name, face: "serif", size: unit * 0.19 },
    { text: card.message, face: "serif", size: unit * 0.075, gap: 0.6 },
    { text: card.secret, face: "sans", size: unit * 0.06, gap: 0.5 },
  ];
  const code = { x: box.x + box.width - side, y: box.y, width: side, height: box.height };
  return [...setColumn(blocks, column, tools.measure), ...(card.url ? codeItems(card.url, code, tools) : [])];
}
