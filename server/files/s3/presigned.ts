import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { SentAs } from "../object-store.ts";
import type { S3Files } from "./bucket.ts";

/** URLs at which clients read bytes from the service itself. */
export interface PresignedUrls {
  /** Resolves to the URL of an object, which must exist. */
  urlOf(name: string, as: SentAs): Promise<string>;
  close(): void;
}

/**
 * Signs URLs (Signature Version 4, query parameters) that are valid for the configured seconds; undefined if clients may
 * not read from the service itself. The machine's clock must be right: the service compares it with its own.
 */
export function openPresignedUrls(settings: S3Files): PresignedUrls | undefined {
  const { bucket: Bucket, region, credentials, presigned } = settings;
  if (!presigned) return undefined;
  const endpoint = presigned.endpoint ?? settings.endpoint;
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // A checksum would become a parameter of the URL, which few services know.
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const urlOf = (Key: string, { type, disposition }: SentAs) =>
    getSignedUrl(
      client,
      new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: "private, no-cache",
      }),
      { expiresIn: presigned.seconds },
    );
  return { urlOf, close: () => client.destroy() };
}
