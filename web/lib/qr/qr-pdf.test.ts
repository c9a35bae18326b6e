import sharp from "sharp";
import { expect, test } from "vitest";
import { printedPage, scanDrawing } from "../../../tests/support/printed-code.ts";
import { qrMatrix } from "./qr-code.ts";
import { PRINT_SIZES, qrPdf } from "./qr-pdf.ts";

const link = "https://skies.example/shared/0Qm8Zk3vXb7TnRw5YcLd1s";

test.each(PRINT_SIZES)("a code of %d mm is a page of just that size", async (size) => {
  const { width, height } = await printedPage(await qrPdf(qrMatrix(link), size, "Rosa"));
  expect(width).toBeCloseTo(size, 3);
  expect(height).toBeCloseTo(size, 3);
});

test("the printed page decodes to exactly the link, with a white border and black ink only", async () => {
  const { drawn } = await printedPage(await qrPdf(qrMatrix(link), 30, "Rosa"));
  expect(drawn).toContain("0 0 0 1 k");
  expect(await scanDrawing(drawn)).toBe(link);
});

test("a caption stands under the code and leaves its size as it is", async () => {
  const png = await sharp({ create: { width: 300, height: 60, channels: 3, background: "#000" } })
    .png()
    .toBuffer();
  const { width, height, drawn } = await printedPage(
    await qrPdf(qrMatrix(link), 50, "Rosa", { png: new Uint8Array(png), ratio: 5 }),
  );
  expect(width).toBeCloseTo(50, 3);
  expect(height).toBeCloseTo(58, 3);
  expect(drawn).toMatch(/ Do$/m);
});
