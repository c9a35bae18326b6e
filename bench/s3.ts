import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { startS3 } from "../tests/support/s3-server.ts";
import { interleave, judge, timed } from "./measure.ts";
import { makeOwner } from "./media/owner.ts";
import { startProduct } from "./processes.ts";

const ROUNDS = 3;
const MIB = 1024 * 1024;
const SIZES = [1, 32];
const BUCKET = "bench";

/** Files up to and down from object storage through the product, beside the service's own library straight to the same store. */
export async function bench() {
  console.log("\nObject storage beside its library straight to the same store, medians of interleaved rounds");
  const folder = await mkdtemp(join(tmpdir(), "skies-s3-bench-"));
  const s3 = await startS3();
  const settings = await s3.bucket();
  const product = await startProduct(folder, settings);
  try {
    const { service } = await makeOwner(product.url, folder);
    await service.storage.createBucket(BUCKET);
    const bucket = service.storage.from(BUCKET);
    const Bucket = settings.S3_BUCKET;
    const fresh = () => `file-${randomUUID()}`;
    for (const size of SIZES) {
      const bytes = randomBytes(size * MIB);
      const put = (Key: string) => s3.client.send(new PutObjectCommand({ Bucket, Key, Body: bytes }));
      const send = async (name: string) => {
        const { error } = await bucket.upload(name, bytes, { contentType: "application/octet-stream" });
        if (error) throw error;
      };
      judge(
        `${size} MiB up`,
        await interleave({ floor: timed(() => put(`floor/${fresh()}`)), product: timed(() => send(fresh())) }, ROUNDS),
        0.7,
      );
      await Promise.all([put("floor/read"), send(`read-${size}`)]);
      const get = async () => {
        const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key: "floor/read" }));
        await buffer(Body as Readable);
      };
      const receive = async () => {
        const { data, error } = await bucket.download(`read-${size}`);
        if (error) throw error;
        await data.arrayBuffer();
      };
      judge(`${size} MiB down`, await interleave({ floor: timed(get), product: timed(receive) }, ROUNDS), 0.7);
    }
  } finally {
    await product.end();
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  }
}
