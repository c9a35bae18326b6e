import { randomUUID } from "node:crypto";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { undeleteFiles } from "../../server/backup/undelete-files.ts";
import { readSettings } from "../../server/settings/settings.ts";
import { atEnd } from "../support/at-end.ts";
import { testDatabase } from "../support/database.ts";
import { startS3 } from "../support/s3-server.ts";

test("after a recovery, deleted files that the rows name come back from the bucket's versions, and no others", async () => {
  const s3 = await startS3();
  atEnd(() => s3.close());
  const bucket = await s3.bucket();
  const { s3: settings } = readSettings(bucket);
  if (!settings) throw new Error("The settings name no bucket");
  const Bucket = settings.bucket;
  await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  const db = await testDatabase();
  await db.query("insert into storage.buckets (id, name) values ('spare', 'spare')");
  const [needed, deleted, intact] = [randomUUID(), randomUUID(), randomUUID()];
  const keyOf = (version: string) => `objects/spare/${version}`;
  for (const version of [needed, deleted, intact])
    await s3.client.send(new PutObjectCommand({ Bucket, Key: keyOf(version), Body: `Bytes of ${version}` }));
  await s3.client.send(
    new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: [needed, deleted].map((version) => ({ Key: keyOf(version) })) },
    }),
  );
  for (const version of [needed, intact])
    await db.query("insert into storage.objects (bucket_id, name, version, metadata) values ('spare', $1, $2, $3)", [
      `${randomUUID()}/${version}.jpg`,
      version,
      { mimetype: "image/jpeg", size: 45 },
    ]);

  expect(await undeleteFiles(db, settings)).toBe(1);
  const read = (version: string) =>
    s3.client.send(new GetObjectCommand({ Bucket, Key: keyOf(version) })).then(({ Body }) => Body?.transformToString());
  expect(await read(needed)).toBe(`Bytes of ${needed}`);
  expect(await read(intact)).toBe(`Bytes of ${intact}`);
  await expect(read(deleted)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  expect(await undeleteFiles(db, settings)).toBe(0);
});
