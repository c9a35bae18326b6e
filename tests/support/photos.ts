import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";

const root = new URL("../..", import.meta.url).pathname;
const corpus = join(root, "../shared/corpus/photos");
const painted = join(root, ".cache/photos");

/** Whether a real photo of this name is available; some formats cannot be generated. */
export const hasRealPhoto = (name: string): boolean => existsSync(join(corpus, name));

/** Paths of photos by name: real ones if available, otherwise generated ones. */
export const photoPaths = (...names: string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (hasRealPhoto(name) ? join(corpus, name) : paint(name))));

/** Heights of generated photos of 1200 pixels whose real ones have another shape than 3:2. */
const HEIGHTS: Record<string, number> = { "canon.jpg": 900 };

/** A small landscape, stored like that of a camera with the orientation `…-orientation-N`. */
async function paint(name: string) {
  await mkdir(painted, { recursive: true });
  const path = join(painted, name);
  const orientation = Number(name.match(/orientation-([1-8])/)?.[1] ?? 1);
  // All orientations of a name show the same picture.
  const letters = [...name.replace(/-orientation-\d/, "")];
  const hue = letters.reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 360;
  const upright = sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="${HEIGHTS[name] ?? 800}" viewBox="0 0 1200 800" preserveAspectRatio="none">
      <linearGradient id="sky" x2="0" y2="1">
        <stop stop-color="hsl(${hue} 60% 45%)"/><stop offset="1" stop-color="hsl(${hue + 60} 70% 85%)"/>
      </linearGradient>
      <rect width="1200" height="800" fill="url(#sky)"/>
      <path d="M0 620 Q300 420 620 600 T1200 540 V800 H0Z" fill="hsl(${hue + 120} 30% 30%)"/>
    </svg>`),
  );
  const stored = turnedBack[orientation - 1] ?? ((photo) => photo);
  await stored(upright).withMetadata({ orientation }).toFile(path);
  return path;
}

/** The inverse transformation of each EXIF orientation. Sharp mirrors before it rotates. */
const turnedBack: ((photo: Sharp) => Sharp)[] = [
  (photo) => photo,
  (photo) => photo.flop(),
  (photo) => photo.rotate(180),
  (photo) => photo.flip(),
  (photo) => photo.flip().rotate(90),
  (photo) => photo.rotate(270),
  (photo) => photo.flop().rotate(90),
  (photo) => photo.rotate(90),
];
