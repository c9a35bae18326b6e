import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { interleave, judge } from "../measure.ts";
import { memoryOf } from "../processes.ts";
import type { Stage } from "./stage.ts";

const ROUNDS = 5;
const BYTES = 1024 ** 3;
/** In MB. */
const MOST_GROWTH = 60;

/** A tus upload of one gigabyte, compared with a bare tus server, and the memory that it takes. */
export async function benchResumable({ product, floor, client, owner, floorFolder, folder }: Stage) {
  const head = join(folder, "head.mp4");
  await writeFile(head, mp4Head(BYTES));
  const before = await memoryOf(product);
  let most = 0;
  const send = (url: string, headers: Record<string, string>) =>
    client.run({
      calls: [
        {
          method: "PATCH",
          url,
          headers: {
            ...headers,
            "tus-resumable": "1.0.0",
            "upload-offset": "0",
            "content-type": "application/offset+octet-stream",
          },
          file: head,
          bytes: BYTES,
        },
      ],
      clients: 1,
    });
  const ratio = await interleave(
    {
      floor: async () => {
        const ms = await send(await begin(`${floor.url}/tus`, {}), {});
        for (const name of await readdir(join(floorFolder, "tus"))) await rm(join(floorFolder, "tus", name));
        return ms;
      },
      product: async () => {
        const metadata = { bucketName: "media", objectName: owner.freshName("mp4"), contentType: "video/mp4" };
        const upload = await begin(`${product.url}/storage/v1/upload/resumable`, {
          ...owner.headers,
          "upload-metadata": Object.entries(metadata)
            .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
            .join(","),
        });
        const watch = setInterval(async () => {
          most = Math.max(most, (await memoryOf(product))?.now ?? 0);
        }, 50);
        const ms = await send(upload, owner.headers);
        clearInterval(watch);
        await owner.empty();
        return ms;
      },
    },
    ROUNDS,
  );
  judge("a resumable upload of 1 GiB", ratio, 0.8);
  if (!before) return console.log("  memory: not measured on this system");
  const growth = most - before.now;
  const verdict = growth <= MOST_GROWTH ? "pass" : "FAIL";
  console.log(`  ${verdict}  its memory grew by ${growth.toFixed(0)} MB of at most ${MOST_GROWTH}`);
}

/** Creates an upload; resolves to its URL. */
async function begin(url: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "tus-resumable": "1.0.0", "upload-length": `${BYTES}`, ...headers },
  });
  const location = reply.headers.get("location");
  if (!location) throw new Error(`No upload began: ${reply.status} ${await reply.text()}`);
  return new URL(location, url).href;
}

/** The beginning of an MP4 of so many bytes; the rest is media data. */
function mp4Head(bytes: number): Buffer {
  const type = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2mp41", "latin1").subarray(0, 24);
  const data = Buffer.alloc(8);
  data.writeUInt32BE(bytes - type.length, 0);
  data.write("mdat", 4, "latin1");
  return Buffer.concat([type, data]);
}
