import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { Person } from "./people.ts";
import { shareFirstLink } from "./sharing.ts";

const TYPES: Record<string, string> = { ".heic": "image/heic", ".heif": "image/heif" };

/** A published memory with these photos, named like their files and prepared; resolves to its id and share id. */
export async function memoryWith(person: Person, photos: string[], fields: Record<string, unknown> = {}) {
  const { data: memory, error } = await person.client
    .from("memories")
    .insert({ person_name: "Rosa Bellini", birth_date: "1931-03-12", passing_date: "2019-05-04", ...fields })
    .select("id, share_id")
    .single();
  if (error) throw error;
  await shareFirstLink(person.client, memory.id);
  for (const path of photos) await addPhoto(person, memory.id, path);
  for (const path of photos) {
    const fields = { caption: basename(path, extname(path)) };
    const photo = person.client.from("media").update(fields).eq("memory_id", memory.id);
    await photo.eq("file_name", basename(path)).throwOnError();
  }
  return memory as { id: string; share_id: string };
}

/** Adds a photo, named like its file, to a memory and waits until it is prepared. */
export async function addPhoto({ client }: Person, memoryId: string, path: string): Promise<void> {
  const ending = extname(path);
  const { error } = await client.storage
    .from("media")
    .upload(`${memoryId}/${randomUUID()}${ending}`, await readFile(path), {
      contentType: TYPES[ending] ?? "image/jpeg",
      metadata: { filename: basename(path) },
    });
  if (error) throw error;
  await expect
    .poll(async () => (await client.from("media").select("id").eq("memory_id", memoryId).eq("state", "waiting")).data, {
      timeout: 120_000,
    })
    .toEqual([]);
}

/** The rendered tiles of the gallery. */
export const tiles = (page: Page): Locator => page.locator("[data-gallery] [data-photo]");

/** The names of the photos in a gallery. */
export const tileNames = (page: Page): Promise<string[]> =>
  tiles(page).evaluateAll((all) => all.map((tile) => tile.querySelector("a")?.getAttribute("aria-label") ?? ""));

/** Scrolls the gallery into view. */
export async function toGallery(page: Page) {
  await expect(tiles(page).first()).toBeAttached();
  await page.evaluate(() => document.getElementById("photos")?.scrollIntoView());
}
