import type { startClient, startFloor, startProduct } from "../processes.ts";
import type { Owner } from "./owner.ts";

/** The servers, clients and files of the storage benchmark. */
export interface Stage {
  folder: string;
  dataDir: string;
  floorFolder: string;
  /** Paths of different photos of about 3 MB. */
  photos: string[];
  floor: Awaited<ReturnType<typeof startFloor>>;
  product: Awaited<ReturnType<typeof startProduct>>;
  client: ReturnType<typeof startClient>;
  owner: Owner;
}

/** Stores the photos and waits until all are prepared; resolves to their names. */
export async function storePhotos({ owner, client, product, photos }: Stage, paths = photos): Promise<string[]> {
  const names = paths.map(() => owner.freshName("jpg"));
  const calls = names.map((name, n) => ({
    method: "POST",
    url: `${product.url}/storage/v1/object/media/${name}`,
    headers: { ...owner.headers, "content-type": "image/jpeg" },
    file: paths[n],
  }));
  await client.run({ calls, clients: 4 });
  await settled(owner);
  return names;
}

/** Waits until no photo is being prepared. */
export async function settled({ client, memoryId }: Owner): Promise<void> {
  for (;;) {
    const waiting = await client
      .from("media")
      .select("id", { count: "exact", head: true })
      .match({ memory_id: memoryId, state: "waiting" })
      .throwOnError();
    if (waiting.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
