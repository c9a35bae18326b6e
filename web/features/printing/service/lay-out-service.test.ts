import { describe, expect, test } from "vitest";
import { cut, rasterPages, scan } from "../../../../tests/support/printed-sheets.ts";
import { printedMatrix } from "../../../lib/qr/qr-code.ts";
import type { Measure } from "../fit-text.ts";
import { printPdf } from "../print-pdf.ts";
import type { Page } from "../sheets.ts";
import { foldedSheets, SERVICE_FORMATS, type Service, serviceReadingPages } from "./lay-out-service.ts";

/** Every letter is half as wide as high. */
const measure: Measure = (text) => ({ width: text.length * 0.5, ascent: 0.75, descent: 0.25 });
const tools = { measure, matrixOf: printedMatrix };
const url = "https://skies.example/shared/0Qm8Zk3vXb7TnRw5YcLd1s";
const verse = "Abide with me; fast falls the eventide;\nThe darkness deepens; Lord, with me abide.";
const serviceOf = (changes: Partial<Service> = {}): Service => ({
  name: "Rosa Bellini",
  dates: "3 March 1931 – 9 May 2026",
  heading: "Order of service",
  when: "Service · Saturday, 16 May 2026 · 14:00 · San Nicolò",
  entries: Array.from({ length: 9 }, (_, at) => ({
    label: "Hymn",
    title: `Hymn ${at}`,
    by: "H. F. Lyte",
    text: Array.from({ length: 4 }, () => verse).join("\n\n"),
  })),
  closing: "Thank you for coming.",
  code: { url, hint: "Point your camera at the code.", secret: "PIN 4711" },
  ...changes,
});

const textsOf = ({ items }: Page) => items.flatMap((item) => (item.kind === "text" ? [item] : []));
const allTexts = (pages: readonly Page[]) => pages.flatMap((page) => textsOf(page).map(({ text }) => text));

describe.each(SERVICE_FORMATS)("%s", (format) => {
  test.each([false, true])("every line is on a page once, in order and inside of the margins, large %s", (large) => {
    const pages = serviceReadingPages(serviceOf(), format, large, tools);
    const texts = allTexts(pages);
    expect(texts.filter((text) => text.startsWith("Hymn "))).toEqual(
      Array.from({ length: 9 }, (_, at) => `Hymn ${at}`),
    );
    expect(texts.filter((text) => text.startsWith("The darkness"))).toHaveLength(36);
    if (format !== "a4") expect(pages.length % 4).toBe(0);
    for (const page of pages) {
      for (const { x, text, size, baseline, align } of textsOf(page)) {
        const width = text.length * 0.5 * size;
        const offset = { left: x, center: x - width / 2, right: x - width }[align];
        expect(Math.min(offset, page.width - offset - width, baseline - size, page.height - baseline)).toBeGreaterThan(
          12,
        );
      }
      // A heading is never the last line of a page.
      const last = textsOf(page).at(-1)?.text ?? "";
      expect(last.startsWith("Hymn") || last === "H. F. Lyte").toBe(false);
    }
  });
});

test("folded sheets have the pages of a booklet, and the code on its back is read from the raster", async () => {
  const pages = serviceReadingPages(serviceOf({ entries: serviceOf().entries.slice(0, 5) }), "folded", false, tools);
  const sheets = foldedSheets(pages);
  expect(sheets).toHaveLength(pages.length / 2);
  // The outer side: the last page at the left, the first at the right.
  const [outer, inner] = sheets;
  expect(outer && allTexts([outer])).toEqual([...allTexts(pages.slice(-1)), ...allTexts(pages.slice(0, 1))]);
  expect(inner && allTexts([inner])).toEqual([...allTexts(pages.slice(1, 2)), ...allTexts(pages.slice(-2, -1))]);
  const pdf = await printPdf(sheets, "Order of service", async () => undefined);
  const [page] = await rasterPages(pdf, 150);
  expect(page && [page.width, page.height]).toEqual([Math.round((297 * 150) / 25.4), Math.round((210 * 150) / 25.4)]);
  expect(page && scan(cut(page, { x: 0, y: 0, width: 148, height: 210 }))).toBe(url);
});

test("a text from right to left begins at the right", () => {
  const entries = [{ label: "Prayer", title: "أبانا الذي في السماوات", by: "", text: "ليتقدس اسمك" }];
  const [, page] = serviceReadingPages(serviceOf({ entries }), "a4", false, tools);
  const aligned = page && textsOf(page).map(({ align, direction, x }) => [align, direction, x]);
  expect(aligned).toEqual([
    ["right", "rtl", 186],
    ["right", "rtl", 186],
    ["right", "rtl", 186],
  ]);
});

test("a very long word is broken", () => {
  const entries = [{ label: "", title: "x".repeat(200), by: "", text: "" }];
  const pages = serviceReadingPages(serviceOf({ entries, closing: "", code: undefined }), "a4", false, tools);
  expect(allTexts(pages).join("")).toContain("x".repeat(60));
  expect(pages).toHaveLength(2);
});
