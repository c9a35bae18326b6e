import { expect } from "./e2e.ts";
import { openEncoder, RECIPES } from "./encoded-videos.ts";
import type { Person } from "./people.ts";
import { freshName } from "./uploads.ts";

const FILMS = {
  h264: "mp4 of h264 with aac",
  hevc: "mp4 of hevc with aac",
  avi: "avi of M-JPEG with PCM",
};

/** A film of two seconds with a tone: as a phone records it with a codec, or as an old camcorder did. */
export async function filmOf(kind: keyof typeof FILMS): Promise<Buffer> {
  const recipe = RECIPES.find(({ name }) => name === FILMS[kind]);
  if (!recipe) throw new Error(`There is no recipe for ${FILMS[kind]}`);
  const encoder = await openEncoder();
  return encoder.encode(recipe).finally(encoder.close);
}

/** Adds such a film to a memory that has none; resolves once visitors have a copy of it. */
export async function addFilm({ client }: Person, memoryId: string): Promise<void> {
  const options = { contentType: "video/mp4", metadata: { filename: "lake.mp4" } };
  const { error } = await client.storage
    .from("media")
    .upload(freshName(memoryId, "mp4"), await filmOf("h264"), options);
  expect(error).toBeNull();
  const copies = async () => (await client.from("media").select("visitor_copy").eq("type", "video")).data;
  await expect.poll(copies, { timeout: 60_000 }).toEqual([{ visitor_copy: "ready" }]);
}
