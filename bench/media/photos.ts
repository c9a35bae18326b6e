import { join } from "node:path";
import sharp from "sharp";

/**
 * Paints photos of about 3 MB and 12 megapixels, with as much detail and noise as a phone's. Resolves to their paths.
 */
export async function paintPhotos(folder: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const path = join(folder, `photo-${n}.jpg`);
    const noise = (width: number, sigma: number) =>
      sharp({
        create: {
          width,
          height: (width * 3) / 4,
          channels: 3,
          background: "black",
          noise: { type: "gaussian", mean: 128, sigma },
        },
      });
    const shapes = await noise(64, 60).png().toBuffer();
    const grain = await noise(2000, 18).png().toBuffer();
    await sharp(shapes)
      .resize(4000, 3000, { kernel: "cubic" })
      .composite([{ input: await sharp(grain).resize(4000, 3000).png().toBuffer(), blend: "soft-light" }])
      .modulate({ hue: n * 37 })
      .jpeg({ quality: 92 })
      .toFile(path);
    paths.push(path);
  }
  return paths;
}
