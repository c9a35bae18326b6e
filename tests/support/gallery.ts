import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { Person } from "./people.ts";
import { shareFirstLink } from "./sharing.ts";

const TYPES: Record<string, string> = { ".heic": "image/heic", ".heif": "image/heif" };

/** A published memory with these photos, each ready to be looked at and called as its file; gives its id and share id. */
export async function memoryWith(person: Person, photos: string[], words: Record<string, unknown> = {}) {
  const { data: memory, error } = await person.client
    .from("memories")
    .insert({ person_name: "Rosa Bellini", birth_date: "1931-03-12", passing_date: "2019-05-04", ...words })
    .select("id, share_id")
    .single();
  if (error) throw error;
  await shareFirstLink(person.client, memory.id);
  for (const path of photos) {
    const ending = extname(path);
    const { error: refused } = await person.client.storage
      .from("media")
      .upload(`${memory.id}/${randomUUID()}${ending}`, await readFile(path), {
        contentType: TYPES[ending] ?? "image/jpeg",
        metadata: { filename: basename(path) },
      });
    if (refused) throw refused;
  }
  await expect
    .poll(
      async () =>
        (await person.client.from("media").select("id").eq("memory_id", memory.id).eq("state", "waiting")).data,
      { timeout: 120_000 },
    )
    .toEqual([]);
  for (const path of photos) {
    const words = { caption: basename(path, extname(path)) };
    const photo = person.client.from("media").update(words).eq("memory_id", memory.id);
    await photo.eq("file_name", basename(path)).throwOnError();
  }
  return memory as { id: string; share_id: string };
}

/** The tiles of the gallery that are drawn. */
export const tiles = (page: Page): Locator => page.locator("[data-gallery] [data-photo]");

/** The names of the photos that a gallery shows, by what represents each. */
export const tileNames = (page: Page): Promise<string[]> =>
  tiles(page).evaluateAll((all) => all.map((tile) => tile.querySelector("a")?.getAttribute("aria-label") ?? ""));

/** Moves the gallery into the window. */
export async function toGallery(page: Page) {
  await expect(tiles(page).first()).toBeAttached();
  await page.evaluate(() => document.getElementById("photos")?.scrollIntoView());
}
