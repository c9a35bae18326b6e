import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { openSecrets } from "../server/settings/secrets.ts";
import { startS3 } from "../tests/support/s3-server.ts";
import { interleave, judge, report, timed } from "./measure.ts";
import { makeOwner } from "./media/owner.ts";
import { startProduct } from "./processes.ts";

const MIB = 1024 * 1024;
/**
 * The size of a small file in MiB. Fixed costs (rights, a row, its commit) are a third of its time, so it has no limit.
 */
const SMALL_MIB = 1;
/** The file size in MiB (small, a phone's photo, a video) and the rounds; times of small files vary more. */
const SIZES = [
  [SMALL_MIB, 60],
  [4, 20],
  [32, 9],
] as const;
const BUCKET = "bench";

/**
 * Uploads and downloads through the product, compared with the service's library on the same store. Both sides use
 * Node's HTTP client with one buffer: `fetch` and a `Blob` on one side would compare two clients.
 */
export async function bench() {
  console.log("\nObject storage beside its library straight to the same store, medians of interleaved rounds");
  const folder = await mkdtemp(join(tmpdir(), "skies-s3-bench-"));
  const s3 = await startS3();
  const settings = await s3.bucket();
  const product = await startProduct(folder, settings);
  try {
    const { service } = await makeOwner(product.url, folder);
    await service.storage.createBucket(BUCKET);
    const { secretKey } = await openSecrets({ dataDir: folder });
    const ask = clientOf(`${product.url}/storage/v1/object/${BUCKET}`, secretKey);
    const Bucket = settings.S3_BUCKET;
    const fresh = () => `file-${randomUUID()}`;
    for (const [size, rounds] of SIZES) {
      const bytes = randomBytes(size * MIB);
      const put = (Key: string) => s3.client.send(new PutObjectCommand({ Bucket, Key, Body: bytes }));
      const send = (name: string) => ask("POST", name, bytes);
      const up = { floor: timed(() => put(`floor/${fresh()}`)), product: timed(() => send(fresh())) };
      const upMedians = await interleave(up, rounds);
      if (size === SMALL_MIB) report(`${size} MiB up`, upMedians);
      else judge(`${size} MiB up`, upMedians, 0.7);
      await Promise.all([put("floor/read"), send(`read-${size}`)]);
      const get = async () => {
        const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key: "floor/read" }));
        await buffer(Body as Readable);
      };
      const receive = () => ask("GET", `read-${size}`);
      judge(`${size} MiB down`, await interleave({ floor: timed(get), product: timed(receive) }, rounds), 0.7);
    }
  } finally {
    await product.end();
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Requests objects below `url` over kept connections; resolves to the number of bytes. */
function clientOf(url: string, key: string) {
  const agent = new Agent({ keepAlive: true });
  return async (method: string, name: string, bytes?: Buffer): Promise<Buffer> => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(bytes && { "content-type": "application/octet-stream", "content-length": bytes.length }),
      };
      request(`${url}/${name}`, { method, agent, headers }, resolve).once("error", reject).end(bytes);
    });
    const answer = await buffer(reply);
    if (reply.statusCode !== 200) throw new Error(`${method} ${name}: ${reply.statusCode} ${answer}`);
    return answer;
  };
}
