import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { cut, isPrinted, rasterPages, scan } from "../../../tests/support/printed-sheets.ts";
import { printedMatrix, SMALLEST_MODULE } from "../../lib/qr/qr-code.ts";
import type { Measure } from "./fit-text.ts";
import { type Card, CodeTooSmall, DESIGNS, layOutCards, type Style } from "./lay-out-cards.ts";
import { type DrawText, printPdf } from "./print-pdf.ts";
import { FORMATS, type Item, sheetOf } from "./sheets.ts";

const SCANNED_AT = 150;
const url = (number: number) => `https://skies.example/shared/0Qm8Zk3vXb7TnRw5YcLd${String(number).padStart(2, "0")}`;
/** Every letter is half as wide as high. */
const measure: Measure = (text) => ({ width: text.length * 0.5, ascent: 0.75, descent: 0.25 });
const tools = { measure, matrixOf: printedMatrix };
/** Text as black bars of the measured width. */
const drawText: DrawText = async ({ text, size, align, face }) => {
  const width = measure(text, face).width * size;
  const offset = { left: 0, center: -width / 2, right: -width }[align];
  return {
    left: offset,
    top: -size * 0.7,
    width,
    height: size * 0.7,
    dots: new Uint8Array([0x80]),
    columns: 1,
    rows: 1,
  };
};
const card = (number: number): Card => ({
  name: `Table ${number}`,
  title: "Anna & Marco",
  message: "Share the photos of our day with us. Every picture counts, also the blurred ones.",
  hint: "Point your camera at the code. No app, no account.",
  secret: "PIN 4711",
  url: url(number),
});
const styleOf = (changes: Partial<Style>): Style => ({
  format: "cards8",
  design: "plain",
  bleed: false,
  kind: "event",
  ...changes,
});

const PAGES: Record<(typeof FORMATS)[number], [width: number, height: number, cards: number]> = {
  cards4: [210, 297, 4],
  cards8: [210, 297, 8],
  cards10: [210, 297, 10],
  a5: [148, 210, 1],
  a4: [210, 297, 1],
  a3: [297, 420, 1],
  places: [210, 297, 10],
};

describe.each(FORMATS)("%s", (format) => {
  test.each([false, true])(
    "is as large as it says, and every code is read from its raster, with bleed %s",
    async (bleed) => {
      const [width, height, count] = PAGES[format];
      const around = bleed && count === 1 ? 20 : 0;
      const design = DESIGNS[FORMATS.indexOf(format) % DESIGNS.length] ?? "plain";
      const cards = Array.from({ length: count + 1 }, (_, at) => card(at));
      const pages = layOutCards(cards, styleOf({ format, bleed, design }), tools);
      const pdf = await printPdf(pages, "Cards", drawText);
      const sheet = sheetOf(format, bleed);
      expect(sheet.cards).toHaveLength(count);
      const rasters = await rasterPages(pdf, SCANNED_AT);
      expect(rasters).toHaveLength(2);
      const decoded = rasters.flatMap((page) => sheet.cards.map((box) => scan(cut(page, box))));
      expect(decoded.filter((text) => text !== undefined)).toEqual(cards.map((one) => one.url));
      for (const page of (await PDFDocument.load(pdf)).getPages()) {
        expect((page.getWidth() * 25.4) / 72).toBeCloseTo(width + around, 3);
        expect((page.getHeight() * 25.4) / 72).toBeCloseTo(height + around, 3);
        if (around) {
          const { x, y, ...trim } = page.getTrimBox();
          expect((trim.width * 25.4) / 72).toBeCloseTo(width, 3);
          expect((page.getBleedBox().height * 25.4) / 72).toBeCloseTo(height + 6, 3);
        }
      }
    },
    60_000,
  );
});

test("a tint runs three millimetres over the cut, and crop marks stay outside of it", async () => {
  for (const format of ["cards10", "a5"] as const) {
    const pages = layOutCards([card(1)], styleOf({ format, bleed: true, design: "tint" }), tools);
    const [page] = await rasterPages(await printPdf(pages, "Cards", drawText), SCANNED_AT);
    const [box] = sheetOf(format, true).cards;
    if (!page || !box) throw new Error("No card");
    const strip = (x: number) => isPrinted(cut(page, { x, y: box.y + box.height / 2, width: 0.4, height: 0.4 }));
    expect([strip(box.x - 2.8), strip(box.x + 0.2), strip(box.x - 3.6)]).toEqual([true, true, false]);
    const mark = (y: number) => isPrinted(cut(page, { x: box.x - 0.3, y, width: 0.6, height: 0.5 }));
    expect([mark(box.y - 3.8), mark(box.y - 6)]).toEqual([false, true]);
  }
});

const boundsOf = (item: Item) => {
  if (item.kind !== "text") return;
  const width = measure(item.text, item.face).width * item.size;
  return { left: item.x - width / 2, right: item.x + width / 2, top: item.baseline - item.size, bottom: item.baseline };
};

test.each(FORMATS)("no text of %s leaves its card or touches the code, however long it is", (format) => {
  const long = "Maximiliane-Alexandrine von Hohenstein-Wittgenstein zu Schwarzburg-Sondershausen ".repeat(3);
  const name = "Wolfeschlegelsteinhausenbergerdorff".repeat(3);
  const [page] = layOutCards(
    [{ ...card(1), name, title: long.slice(0, 120), message: long, hint: long.slice(0, 120) }],
    styleOf({ format }),
    tools,
  );
  const [box] = sheetOf(format, false).cards;
  const code = page?.items.find((item) => item.kind === "code");
  if (!page || !box || code?.kind !== "code") throw new Error("No card");
  const texts = page.items.map(boundsOf).filter((bounds) => bounds !== undefined);
  expect(texts.length).toBeGreaterThan(3);
  for (const { left, right, top, bottom } of texts) {
    expect(Math.min(left - box.x, box.x + box.width - right, top - box.y, box.y + box.height - bottom)).toBeGreaterThan(
      2,
    );
    const beside = right <= code.x || left >= code.x + code.side || bottom <= code.y || top >= code.y + code.side;
    expect(beside).toBe(true);
  }
});

test("a longer address gets less correction before its modules become too small, and then none at all", () => {
  const long = (length: number) => `https://skies.example/${"a".repeat(length)}`;
  const sizes = [30, 60, 90].map((length) => printedMatrix(long(length), 27)?.size ?? 0);
  for (const size of sizes) {
    expect(size).toBeGreaterThan(0);
    expect(27 / size).toBeGreaterThanOrEqual(SMALLEST_MODULE);
  }
  expect(printedMatrix(long(400), 27)).toBeUndefined();
  const tooLong = { ...card(1), url: long(400) };
  expect(() => layOutCards([tooLong], styleOf({ format: "places" }), tools)).toThrow(CodeTooSmall);
  expect(layOutCards([tooLong], styleOf({ format: "a3" }), tools)).toHaveLength(1);
});

test("120 place cards need twelve sheets, and each has its own name", () => {
  const guests = Array.from({ length: 120 }, (_, at) => ({ ...card(1), name: `Guest ${at}` }));
  const pages = layOutCards(guests, styleOf({ format: "places" }), tools);
  expect(pages).toHaveLength(12);
  const names = pages.flatMap(({ items }) => items.flatMap((item) => (item.kind === "text" ? [item.text] : [])));
  expect(names.filter((text) => text.startsWith("Guest "))).toEqual(guests.map(({ name }) => name));
});
