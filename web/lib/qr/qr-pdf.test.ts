import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import jsQR from "jsqr";
import sharp from "sharp";
import { expect, test } from "vitest";
import { qrMatrix } from "./qr-code.ts";
import { PRINT_SIZES, qrPdf } from "./qr-pdf.ts";

const link = "https://skies.example/shared/0Qm8Zk3vXb7TnRw5YcLd1s";
const millimetres = (points: number) => (points * 25.4) / 72;

/** The content of the page of a PDF file. */
async function pageOf(bytes: Uint8Array) {
  const [page] = (await PDFDocument.load(bytes)).getPages();
  if (!page) throw new Error("No page");
  const contents = page.node.Contents();
  const streams = contents instanceof PDFArray ? contents.asArray().map((part) => page.doc.context.lookup(part)) : [];
  const drawn = streams
    .filter((stream) => stream instanceof PDFRawStream)
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1"))
    .join("\n");
  return { width: millimetres(page.getWidth()), height: millimetres(page.getHeight()), drawn };
}

/** The outlines of a page's first drawing as an SVG file. */
function outlines(drawn: string, size: number): string {
  const path = [...drawn.matchAll(/^(-?[\d.]+) (-?[\d.]+) ([ml])$|^(h)$/gm)]
    .map(([, x, y, kind]) => (kind ? `${kind === "m" ? "M" : "L"}${x} ${y}` : "z"))
    .join("");
  const box = `0 0 ${size} ${size}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="400" height="400"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
}

test.each(PRINT_SIZES)("a code of %d mm is a page of just that size", async (size) => {
  const { width, height } = await pageOf(await qrPdf(qrMatrix(link), size, "Rosa"));
  expect(width).toBeCloseTo(size, 3);
  expect(height).toBeCloseTo(size, 3);
});

test("the printed page decodes to exactly the link, with a white border and black ink only", async () => {
  const matrix = qrMatrix(link);
  const { drawn } = await pageOf(await qrPdf(matrix, 30, "Rosa"));
  expect(drawn).toContain("0 0 0 1 k");
  const picture = sharp(Buffer.from(outlines(drawn, matrix.size))).ensureAlpha();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(link);
});

test("a caption stands under the code and leaves its size as it is", async () => {
  const png = await sharp({ create: { width: 300, height: 60, channels: 3, background: "#000" } })
    .png()
    .toBuffer();
  const { width, height, drawn } = await pageOf(
    await qrPdf(qrMatrix(link), 50, "Rosa", { png: new Uint8Array(png), ratio: 5 }),
  );
  expect(width).toBeCloseTo(50, 3);
  expect(height).toBeCloseTo(58, 3);
  expect(drawn).toMatch(/ Do$/m);
});
