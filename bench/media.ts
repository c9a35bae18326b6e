import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchDownloads } from "./media/downloads.ts";
import { benchFirstView } from "./media/first-view.ts";
import { benchLargeVideo } from "./media/large-video.ts";
import { makeOwner } from "./media/owner.ts";
import { paintPhotos } from "./media/photos.ts";
import { benchRenditions } from "./media/renditions.ts";
import { benchResumable } from "./media/resumable.ts";
import { benchUploads } from "./media/uploads.ts";
import { startClient, startFloor, startProduct } from "./processes.ts";

const PARTS = {
  // First, while the product's process is still small.
  resumable: benchResumable,
  renditions: benchRenditions,
  uploads: benchUploads,
  downloads: benchDownloads,
  "large-video": benchLargeVideo,
  "first-view": benchFirstView,
};

/** Compares storage with bare servers that do the same; BENCH_PARTS selects parts. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "skies-bench-"));
  const [dataDir, floorFolder] = [join(folder, "product"), join(folder, "floor")];
  await Promise.all([mkdir(dataDir), mkdir(floorFolder)]);
  console.log("\nMedia: how fast beside a bare server, medians of interleaved rounds");
  const photos = await paintPhotos(folder, 8);
  const children: { end(): Promise<void> }[] = [];
  const started = <Child extends { end(): Promise<void> }>(child: Child): Child => {
    children.push(child);
    return child;
  };
  try {
    const floor = started(await startFloor(floorFolder));
    const product = started(await startProduct(dataDir));
    const client = started(startClient());
    const owner = await makeOwner(product.url, dataDir);
    const parts = process.env.BENCH_PARTS?.split(",");
    for (const [name, part] of Object.entries(PARTS)) {
      if (parts && !parts.includes(name)) continue;
      await part({ folder, dataDir, floorFolder, photos, floor, product, client, owner });
      await owner.empty();
    }
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await rm(folder, { recursive: true, force: true });
  }
}
