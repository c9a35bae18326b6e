import { expect } from "./e2e.ts";
import { openEncoder, RECIPES } from "./encoded-videos.ts";
import type { Person } from "./people.ts";
import { freshName } from "./uploads.ts";

const FILMS = {
  h264: "mp4 of h264 with aac",
  hevc: "mp4 of hevc with aac",
  avi: "avi of M-JPEG with PCM",
};

/** A video of two seconds with a tone, like that of a phone or of an old camcorder. */
export async function filmOf(kind: keyof typeof FILMS): Promise<Buffer> {
  const recipe = RECIPES.find(({ name }) => name === FILMS[kind]);
  if (!recipe) throw new Error(`There is no recipe for ${FILMS[kind]}`);
  const encoder = await openEncoder();
  return encoder.encode(recipe).finally(encoder.close);
}

/** Adds such a video to a memory without videos; resolves when the visitors' copy exists. */
export async function addFilm({ client }: Person, memoryId: string): Promise<void> {
  const options = { contentType: "video/mp4", metadata: { filename: "lake.mp4" } };
  const { error } = await client.storage
    .from("media")
    .upload(freshName(memoryId, "mp4"), await filmOf("h264"), options);
  expect(error).toBeNull();
  const copies = async () => (await client.from("media").select("visitor_copy").eq("type", "video")).data;
  await expect.poll(copies, { timeout: 180_000 }).toEqual([{ visitor_copy: "ready" }]);
}
