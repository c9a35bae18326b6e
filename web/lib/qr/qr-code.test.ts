import jsQR from "jsqr";
import sharp from "sharp";
import { expect, test } from "vitest";
import { qrMatrix, qrPixels, qrSvg } from "./qr-code.ts";

const link = "https://skies.example/shared/0Qm8Zk3vXb7TnRw5YcLd1s";

test("the code decodes to exactly the link", () => {
  const { pixels, side } = qrPixels(qrMatrix(link), 4);
  expect(jsQR(pixels, side, side)?.data).toBe(link);
});

test("the SVG file decodes to exactly the link, also at a small size", async () => {
  const image = sharp(Buffer.from(qrSvg(qrMatrix(link))))
    .resize(200)
    .ensureAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(link);
});

test("a code with a tenth of it covered still opens the link", () => {
  const { pixels, side } = qrPixels(qrMatrix(link), 6);
  const cover = Math.floor(side * 0.28);
  const from = Math.floor((side - cover) / 2);
  for (let y = from; y < from + cover; y++) pixels.fill(255, (y * side + from) * 4, (y * side + from + cover) * 4);
  expect(jsQR(pixels, side, side)?.data).toBe(link);
});

test("four light modules surround the code", () => {
  const { size, dark } = qrMatrix(link);
  for (let at = 0; at < size; at++) {
    for (const edge of [0, 1, 2, 3, size - 4, size - 3, size - 2, size - 1]) {
      expect(dark(at, edge) || dark(edge, at)).toBe(false);
    }
  }
  expect(dark(4, 4)).toBe(true);
});
