import { openBucket, type S3Files } from "./bucket.ts";
import { s3Copies } from "./copies.ts";
import { s3Incoming } from "./incoming.ts";
import { s3Objects } from "./objects.ts";

/** Objects, their copies and what comes in, in one bucket; rejects with `BucketError` where it cannot be used. */
export async function openS3(settings: S3Files, scratch: string, cache: string) {
  const bucket = openBucket(settings);
  await bucket.check().catch((cause: unknown) => {
    bucket.close();
    throw new BucketError(settings, cause);
  });
  const objects = s3Objects(bucket, scratch);
  return {
    objects,
    copies: s3Copies(bucket, cache, settings.cacheBytes),
    incoming: s3Incoming(bucket, objects, scratch),
    close: bucket.close,
  };
}

/** The bucket of the settings cannot be used; says what to look at. */
class BucketError extends Error {
  constructor({ bucket, endpoint, region }: S3Files, cause: unknown) {
    const status = (cause as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    const where = `The bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`;
    const reason =
      status === 404
        ? "does not exist. Create it, or correct S3_BUCKET."
        : status === 403 || status === 400
          ? "refuses these keys. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION."
          : status === 301
            ? "lies in another region. Correct S3_REGION."
            : `cannot be reached (${cause instanceof Error ? cause.message || cause.name : cause}). Check S3_ENDPOINT, and that the service runs.`;
    super(`${where} ${reason}`, { cause });
  }
}
