import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

/** The edge lengths in pixels of the icon in `favicon.ico`. */
const ICO_SIZES = [16, 32, 48];
/** The colour of the icon in one colour, of which systems use only the shape. */
const INK = "#12505a";

/** Draws the app's icons for every system into a built web app. The only source is `favicon.svg`. */
export async function drawIcons(folder: string) {
  const rounded = await readFile(join(folder, "favicon.svg"), "utf8");
  // Systems cut icons to their own shape, so these fill the square.
  const square = rounded.replace(' rx="18"', "");
  const circle = /<circle[^>]*\/>/.exec(rounded)?.[0];
  const hill = /<path[^>]*\/>/.exec(rounded)?.[0];
  if (square === rounded || !circle || !hill) throw new Error("favicon.svg has no rounded square, circle or hill");
  const oneColour = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><defs><clipPath id="c"><circle cx="32" cy="32" r="26"/></clipPath></defs>
    <g clip-path="url(#c)">${painted(circle)}${painted(hill)}</g></svg>`;
  const icons = join(folder, "icons");
  await mkdir(icons, { recursive: true });
  await Promise.all([
    writeFile(join(folder, "favicon.ico"), ico(await Promise.all(ICO_SIZES.map((size) => png(rounded, size))))),
    writeFile(join(folder, "apple-touch-icon.png"), await png(square, 180)),
    ...[192, 512].map(async (size) => writeFile(join(icons, `icon-${size}.png`), await png(rounded, size))),
    // Its motif is within the middle four fifths, which every shape shows.
    writeFile(join(icons, "maskable-512.png"), await png(square, 512)),
    writeFile(join(icons, "monochrome-512.png"), await png(oneColour, 512)),
  ]);
}

const painted = (shape: string) => shape.replace(/ fill="[^"]*"/, ` fill="${INK}"`);

const png = (svg: string, size: number) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** An ICO file of PNG pictures, which browsers and Windows have read since 2007. */
function ico(pictures: Buffer[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index;
    const size = ICO_SIZES[index] ?? 0;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(picture.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  }
  return Buffer.concat([header, ...pictures]);
}
