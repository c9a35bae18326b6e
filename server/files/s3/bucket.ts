import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { UndiciHttpHandler } from "@smithy/undici-http-handler";
import { Agent, type Dispatcher } from "undici";
import { type ByteRange, ObjectStorageError } from "../object-store.ts";
import { type StoredPart, sendParts } from "./parts.ts";

/** The connection settings of an object storage service. */
export interface S3Service {
  region: string;
  /** The URL of a service other than Amazon's. */
  endpoint?: string | undefined;
  /** Without them, the SDK uses the machine's own identity, e.g. the role of an instance. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The prefix of the names of its settings, for messages. */
  prefix: string;
}

/** An object storage service and its bucket. */
export interface S3Settings extends S3Service {
  bucket: string;
}

/** An object storage service, the size of the local cache, and whether clients may save files from the service itself. */
export interface S3Files extends S3Settings {
  /** The size of the local cache in bytes. */
  cacheBytes: number;
  /** The lifetime of presigned URLs, and the service's URL for clients if it differs. Absent: the server sends all bytes. */
  presigned?: { seconds: number; endpoint?: string | undefined } | undefined;
}

// Otherwise the SDK prints a warning at each start on Node 20, which it supports, and which no operator can act upon.
// biome-ignore lint/style/noProcessEnv: the SDK reads this from nowhere else.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

/** The maximum number of keys in one delete request. */
const DELETED_AT_ONCE = 1000;
/** The maximum number of connections to one host; further requests wait. */
const CONNECTIONS = 100;
/** Timeouts in milliseconds for connecting and for the start of a response; then the request is retried. */
const CONNECT_MS = 5000;
const ANSWER_MS = 15_000;
/** The timeout in milliseconds for a response that sends nothing while its reader waits. */
const SILENCE_MS = 15_000;

export interface StoredName {
  name: string;
  size: number;
  modified: Date;
}

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException &&
  (error.$metadata.httpStatusCode === 404 || ["NoSuchKey", "NotFound", "NoSuchUpload"].includes(error.name));

/** Turns connection failures and timeouts of a body into an {@link ObjectStorageError} for every reader. */
function withStorageErrors(body: Readable): Readable {
  const destroy = body.destroy.bind(body);
  body.destroy = (error) => destroy(error && new ObjectStorageError(error));
  return body;
}

/** The connections to a service. */
const connections = (): Dispatcher =>
  new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    // The timeout runs only while the reader waits, so not for a paused video.
    bodyTimeout: SILENCE_MS,
    // By default undici closes the connection after a `HEAD` request, because some servers wrongly send a body. Object
    // storage services do not.
  }).compose((dispatch) => (options, handler) => dispatch({ ...options, reset: false }, handler));

/** The operations on a bucket. They resolve to `undefined` for missing objects, and reject on other failures. */
export function openBucket({ bucket: Bucket, region, endpoint, credentials }: S3Settings) {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    // Without this cache, the SDK builds its middleware for each request, which is a tenth of its work.
    cacheMiddleware: true,
    // Node's own client copies each chunk of a response, and takes twice as long for a download.
    requestHandler: new UndiciHttpHandler({ dispatcher: connections() }),
    // The SDK would open a connection for each part and wait for `100 Continue`.
    expectContinueHeader: false,
    // Bodies are signed with their SHA-256, which every service verifies; few support the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  /** Known SHA-256 hashes of bodies in hex, so that the SDK need not compute them for the signature. */
  const hashes = new WeakMap<Uint8Array, string>();
  const hashed = (body: Uint8Array, sha256: string | undefined) => {
    if (sha256 !== undefined) hashes.set(body, sha256);
    return body;
  };
  client.middlewareStack.add(
    (next, context) => (args) => {
      const { body, headers = {} } = args.request as { body?: unknown; headers?: Record<string, string> };
      // Services without the newer checksums require this one for `DeleteObjects`.
      if (context.commandName === "DeleteObjectsCommand" && typeof body === "string") {
        headers["content-md5"] = createHash("md5").update(body).digest("base64");
      }
      const sha256 = body instanceof Uint8Array ? hashes.get(body) : undefined;
      if (sha256 !== undefined) headers["x-amz-content-sha256"] = sha256;
      return next(args);
    },
    { step: "build", name: "checksums" },
  );
  const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new ObjectStorageError(error);
    }
  };
  const must = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new ObjectStorageError(error);
    }
  };

  const bucket = {
    /** Rejects if the bucket cannot be used with these credentials. */
    check: () => client.send(new HeadBucketCommand({ Bucket })),
    close: () => client.destroy(),

    /** `sha256` is the hash of the bytes in hex, if it is known. */
    put: (Key: string, bytes: Uint8Array, sha256?: string) =>
      must(client.send(new PutObjectCommand({ Bucket, Key, Body: hashed(bytes, sha256) }))),

    async get(Key: string, range?: ByteRange): Promise<Readable | undefined> {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const answer = await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key, Range })));
      return answer && withStorageErrors(answer.Body as Readable);
    },

    async head(Key: string): Promise<{ size: number } | undefined> {
      const answer = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key })));
      return answer && { size: answer.ContentLength ?? 0 };
    },

    /** Resolves to whether the source existed. */
    async copy(from: string, Key: string): Promise<boolean> {
      const CopySource = `${Bucket}/${from.split("/").map(encodeURIComponent).join("/")}`;
      return (await unlessMissing(client.send(new CopyObjectCommand({ Bucket, Key, CopySource })))) !== undefined;
    },

    async remove(names: string[]): Promise<void> {
      for (let start = 0; start < names.length; start += DELETED_AT_ONCE) {
        const Objects = names.slice(start, start + DELETED_AT_ONCE).map((Key) => ({ Key }));
        const { Errors = [] } = await must(
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
        );
        const [failed] = Errors.filter(({ Code }) => Code !== "NoSuchKey");
        if (failed) throw new ObjectStorageError(new Error(`${failed.Key}: ${failed.Code}`));
      }
    },

    async *list(Prefix: string): AsyncGenerator<StoredName> {
      let ContinuationToken: string | undefined;
      do {
        const page = await must(client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })));
        for (const { Key = "", Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          yield { name: Key, size: Size, modified: LastModified };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },

    /**
     * In a bucket with versioning, brings back deleted objects below `Prefix` whose names `isNeeded`: removes the markers
     * of their deletion. Resolves to the number of objects.
     */
    async undelete(Prefix: string, isNeeded: (names: string[]) => Promise<ReadonlySet<string>>): Promise<number> {
      let markers: { KeyMarker?: string; VersionIdMarker?: string } = {};
      let restored = 0;
      for (;;) {
        const page = await must(client.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...markers })));
        const latest = (page.DeleteMarkers ?? []).filter(({ IsLatest }) => IsLatest);
        const needed = await isNeeded(latest.map(({ Key = "" }) => Key));
        for (const { Key = "", VersionId } of latest) {
          if (!needed.has(Key)) continue;
          await must(client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })));
          restored += 1;
        }
        if (!page.IsTruncated) return restored;
        markers = {
          ...(page.NextKeyMarker !== undefined && { KeyMarker: page.NextKeyMarker }),
          ...(page.NextVersionIdMarker !== undefined && { VersionIdMarker: page.NextVersionIdMarker }),
        };
      }
    },

    /** The names of the folders below `Prefix`, which ends in a slash. */
    async folders(Prefix: string): Promise<string[]> {
      const names: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const input = { Bucket, Prefix, Delimiter: "/", ContinuationToken };
        const page = await must(client.send(new ListObjectsV2Command(input)));
        for (const { Prefix: name = "" } of page.CommonPrefixes ?? []) names.push(name.slice(Prefix.length, -1));
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
      return names;
    },

    /** The unfinished multipart uploads of names with this prefix. */
    async *uploads(Prefix: string): AsyncGenerator<{ name: string; id: string; startedAt: Date }> {
      let markers: { KeyMarker?: string; UploadIdMarker?: string } = {};
      for (;;) {
        const page = await must(client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers })));
        for (const { Key = "", UploadId = "", Initiated = new Date() } of page.Uploads ?? []) {
          yield { name: Key, id: UploadId, startedAt: Initiated };
        }
        if (!page.IsTruncated) return;
        markers = {
          ...(page.NextKeyMarker !== undefined && { KeyMarker: page.NextKeyMarker }),
          ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
        };
      }
    },

    async beginUpload(Key: string): Promise<string> {
      const { UploadId } = await must(client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
      if (!UploadId) throw new ObjectStorageError(new Error("The service began no upload"));
      return UploadId;
    },

    /** The stored parts by number; undefined if the upload no longer exists. */
    async parts(Key: string, UploadId: string): Promise<StoredPart[] | undefined> {
      const parts: StoredPart[] = [];
      let PartNumberMarker: string | undefined;
      do {
        const page = await unlessMissing(
          client.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker })),
        );
        if (!page) return undefined;
        for (const { PartNumber = 0, ETag = "", Size = 0 } of page.Parts ?? []) {
          parts.push({ number: PartNumber, etag: ETag, size: Size });
        }
        PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
      } while (PartNumberMarker);
      return parts;
    },

    async putPart(Key: string, UploadId: string, number: number, bytes: Uint8Array, sha256?: string) {
      const input = { Bucket, Key, UploadId, PartNumber: number, Body: hashed(bytes, sha256) };
      const { ETag: etag = "" } = await must(client.send(new UploadPartCommand(input)));
      return { number, etag, size: bytes.length };
    },

    /** Completes a multipart upload; idempotent. */
    async completeUpload(Key: string, UploadId: string, parts: StoredPart[]): Promise<void> {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const input = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
      const done = await unlessMissing(client.send(new CompleteMultipartUploadCommand(input)));
      // If the first response was lost, the retry finds no upload but the object.
      if (!done && !(await bucket.head(Key))) throw new ObjectStorageError(new Error("The upload is gone"));
    },

    abortUpload: (Key: string, UploadId: string) =>
      unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))),

    /** Stores a local file, in parts if it is large. */
    putFile: (name: string, path: string) =>
      bucket.putStream(name, createReadStream(path, { highWaterMark: 1024 * 1024 })),

    /** Stores a stream, in parts if it is large; stores nothing if it fails. */
    async putStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const parts = sendParts(bucket, name);
      try {
        for await (const chunk of bytes) await parts.add(chunk);
        if (!parts.hasBegun()) return void (await bucket.put(name, parts.held()));
        await parts.send();
        const upload = await parts.finish();
        if (upload) await bucket.completeUpload(name, upload.id, upload.parts);
      } catch (error) {
        await parts.close();
        const id = await parts.uploadId();
        if (id !== undefined) await bucket.abortUpload(name, id).catch(() => {});
        throw error;
      } finally {
        await parts.close();
      }
    },
  };
  return bucket;
}

export type S3Bucket = ReturnType<typeof openBucket>;
