import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { interleave, judge } from "../measure.ts";
import { type Stage, storePhotos } from "./stage.ts";

const ROUNDS = 5;
const WIDTHS = [640, 1600];
const PHOTOS = 24;

/** New WebP copies, compared with sharp on the same files with the same settings. */
export async function benchRenditions(stage: Stage) {
  const { product, floor, client, owner, dataDir } = stage;
  const photos = Array.from({ length: PHOTOS }, (_, n) => stage.photos[n % stage.photos.length] ?? "");
  const names = await storePhotos(stage, photos);
  const run = (calls: { method: string; url: string; headers?: Record<string, string> }[]) =>
    client.run({ calls, clients: 4 });
  for (const width of WIDTHS) {
    const ratio = await interleave(
      {
        floor: () =>
          run(photos.map((file) => ({ method: "GET", url: `${floor.url}/rendition?width=${width}&file=${file}` }))),
        product: async () => {
          await forget(dataDir, width);
          const url = `${product.url}/storage/v1/render/image/authenticated/media`;
          return run(
            names.map((name) => ({ method: "GET", url: `${url}/${name}?width=${width}`, headers: owner.headers })),
          );
        },
      },
      ROUNDS,
    );
    judge(`cold renditions of ${photos.length} photos, ${width} wide`, ratio, 0.85);
  }
}

/** Removes every copy of this width. */
async function forget(dataDir: string, width: number) {
  const folder = join(dataDir, "storage/renditions");
  for (const version of await readdir(folder)) await rm(join(folder, version, `${width}.webp`), { force: true });
}
