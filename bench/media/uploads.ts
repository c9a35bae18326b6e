import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { interleave, judge } from "../measure.ts";
import { type Stage, settled } from "./stage.ts";

const ROUNDS = 5;
const UPLOADS = 200;
const CLIENTS = 8;

/** Photos of eight parallel clients, compared with a server that streams them to disk durably. */
export async function benchUploads({ product, floor, client, owner, photos, floorFolder }: Stage) {
  const files = Array.from({ length: UPLOADS }, (_, n) => photos[n % photos.length]);
  const ratio = await interleave(
    {
      floor: async () => {
        const ms = await client.run({
          calls: files.map((file) => ({ method: "POST", url: `${floor.url}/`, file })),
          clients: CLIENTS,
        });
        for (const name of await readdir(floorFolder)) if (name !== "tus") await rm(join(floorFolder, name));
        return ms;
      },
      product: async () => {
        const calls = files.map((file) => ({
          method: "POST",
          url: `${product.url}/storage/v1/object/media/${owner.freshName("jpg")}`,
          headers: { ...owner.headers, "content-type": "image/jpeg" },
          file,
        }));
        const ms = await client.run({ calls, clients: CLIENTS });
        await owner.empty();
        await settled(owner);
        return ms;
      },
    },
    ROUNDS,
  );
  judge(`upload of ${UPLOADS} x 3 MB by ${CLIENTS} clients`, ratio, 0.6);
}
