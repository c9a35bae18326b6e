import type { Database } from "../database/database.ts";
import type { S3Settings } from "../files/s3/bucket.ts";
import { nameOf } from "../files/s3/objects.ts";
import { openUsableBucket } from "../files/s3/open-s3.ts";

/**
 * Brings back deleted bytes that the rows of the database name, from a bucket with versioning: after the database was
 * restored to an earlier time. Resolves to the number of files.
 */
export async function undeleteFiles(db: Database, settings: S3Settings): Promise<number> {
  const bucket = await openUsableBucket(settings);
  try {
    return await bucket.undelete("objects/", async (names) => {
      const versions = names.map((name) => name.slice(name.lastIndexOf("/") + 1));
      const { rows } = await db.query<{ bucket: string; version: string }>(
        "select bucket_id as bucket, version from storage.objects where version = any ($1)",
        [versions],
      );
      return new Set(rows.map(nameOf));
    });
  } finally {
    bucket.close();
  }
}
