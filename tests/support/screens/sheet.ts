import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { OpenState } from "./screen.ts";

/** The folder of `npm run screens`; undefined in tests. */
export const SHEET_FOLDER = process.env.SCREENS_FOLDER;

/** Whether `npm run screens` selects this state: by a pattern for `ROUTE, STATE`, otherwise all. */
export const isWanted = ({ route, state }: OpenState) =>
  new RegExp(process.env.SCREENS_ONLY ?? "").test(`${route}, ${state}`);

/** The photographed window sizes in CSS pixels. */
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
/** The maximum height of a picture in CSS pixels. */
const LONGEST = 4000;

/** `/memory/:id, with nothing in it` as a part of a file name. */
export const slug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("*", "any other")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "start";

/** Writes pictures of the current page: every width in both themes, as `ROUTE--STATE--WIDTH-THEME-LANGUAGE.webp`. */
export async function photograph(page: Page, { route, state }: OpenState, language: string, folder: string) {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      const clip = { x: 0, y: 0, width: size.width, height: Math.min(Math.max(height, size.height), LONGEST) };
      const picture = await page.screenshot({ fullPage: true, clip });
      const name = [slug(route), slug(state), `${size.width}-${colorScheme}-${language}`].join("--");
      await sharp(picture)
        .webp({ quality: 80 })
        .toFile(join(folder, `${name}.webp`));
    }
  }
}
