import fc from "fast-check";
import { expect, test } from "vitest";
import { type Box, justifiedLayout, usableRatio } from "./justified-layout.ts";

const options = { width: 1200, rowHeight: 240, gap: 8 };

const rowsOf = (boxes: Box[]) =>
  [...new Set(boxes.map((box) => box.top))].map((top) => boxes.filter((box) => box.top === top));

test("an empty gallery has no height", () => {
  expect(justifiedLayout([], options)).toEqual({ boxes: [], height: 0 });
});

test("a lone photo keeps its shape and the height of a row", () => {
  expect(justifiedLayout([1.5], options).boxes).toEqual([{ left: 0, top: 0, width: 360, height: 240 }]);
});

test("a photo wider than the page is made as wide as the page", () => {
  expect(justifiedLayout([3], { ...options, width: 300 }).boxes).toEqual([
    { left: 0, top: 0, width: 300, height: 100 },
  ]);
});

test("on any page, with any photos, rows reach both edges, keep order, never overlap and stay near their height", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.4, max: 3.5, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 300, max: 2000 }),
      (ratios, width) => {
        const { boxes, height } = justifiedLayout(ratios, { ...options, width });
        expect(boxes).toHaveLength(ratios.length);
        const rows = rowsOf(boxes);
        const heightOf = (some: number[]) =>
          (width - options.gap * (some.length - 1)) / some.reduce((sum, ratio) => sum + ratio);
        const offBy = (some: number[]) => Math.abs(heightOf(some) - options.rowHeight);
        let start = 0;
        rows.forEach((row, index) => {
          row.forEach((box, at) => {
            if (at > 0) expect(box.left).toBe((row[at - 1] as Box).left + (row[at - 1] as Box).width + options.gap);
            expect(box.width).toBeGreaterThan(0);
            expect(box.left + box.width).toBeLessThanOrEqual(width);
          });
          const last = row.at(-1) as Box;
          const end = start + row.length;
          if (index < rows.length - 1) {
            expect(last.left + last.width).toBe(width);
            // With one photo more or less, the row would not be nearer to its height.
            const ratiosOfRow = ratios.slice(start, end);
            expect(Math.abs(last.height - heightOf(ratiosOfRow))).toBeLessThanOrEqual(0.5);
            expect(offBy(ratiosOfRow)).toBeLessThanOrEqual(offBy(ratios.slice(start, end + 1)));
            if (row.length > 1) expect(offBy(ratiosOfRow)).toBeLessThanOrEqual(offBy(ratios.slice(start, end - 1)));
          }
          start = end;
          expect(last.height).toBeLessThanOrEqual(options.rowHeight * 3.2);
        });
        const bottom = boxes.at(-1) as Box;
        expect(height).toBe(bottom.top + bottom.height);
      },
    ),
  );
});

test("panoramas and narrow strips do not distort a row", () => {
  expect(usableRatio(9000, 1000)).toBe(3.5);
  expect(usableRatio(100, 1000)).toBe(0.4);
  expect(usableRatio(3000, 2000)).toBe(1.5);
  expect(usableRatio(null, null)).toBeCloseTo(4 / 3);
});
