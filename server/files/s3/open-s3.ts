import { openBucket, type S3Bucket, type S3Files, type S3Settings } from "./bucket.ts";
import { s3Copies } from "./copies.ts";
import { s3Incoming } from "./incoming.ts";
import { s3Objects } from "./objects.ts";
import { openPresignedUrls } from "./presigned.ts";

/** Opens the stores of objects, copies and uploads in one bucket; rejects with `BucketError` if it is unusable. */
export async function openS3(settings: S3Files, scratch: string, cache: string) {
  const bucket = await openUsableBucket(settings);
  const presigned = openPresignedUrls(settings);
  const objects = s3Objects(bucket, scratch, presigned);
  return {
    objects,
    copies: s3Copies(bucket, cache, settings.cacheBytes, presigned),
    incoming: s3Incoming(bucket, objects, scratch),
    close() {
      bucket.close();
      presigned?.close();
    },
  };
}

/** Opens a bucket; rejects with `BucketError` if it is unusable. */
export async function openUsableBucket(settings: S3Settings): Promise<S3Bucket> {
  const bucket = openBucket(settings);
  await bucket.check().catch((cause: unknown) => {
    bucket.close();
    throw new BucketError(settings, cause);
  });
  return bucket;
}

/** The configured bucket is unusable; the message says which settings to check. */
class BucketError extends Error {
  constructor({ bucket, endpoint, region, prefix }: S3Settings, cause: unknown) {
    const status = (cause as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    const where = `The bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`;
    const reason =
      status === 404
        ? "does not exist. Create it, or correct its name."
        : status === 403 || status === 400
          ? `refuses these keys. Check ${prefix}ACCESS_KEY_ID, ${prefix}SECRET_ACCESS_KEY and ${prefix}REGION.`
          : status === 301
            ? `lies in another region. Correct ${prefix}REGION.`
            : `cannot be reached (${cause instanceof Error ? cause.message || cause.name : cause}). Check ${prefix}ENDPOINT, and that the service runs.`;
    super(`${where} ${reason}`, { cause });
  }
}
