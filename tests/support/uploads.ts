import { randomUUID } from "node:crypto";
import type { ClientRequest } from "node:http";
import sharp, { type Exif } from "sharp";
import { DefaultHttpStack, type HttpStack, Upload, type UploadOptions } from "tus-js-client";

/** A small JPEG of one colour, with this size and EXIF. */
export function jpeg(width = 48, height = 32, background = "teal", exif?: Exif): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background } });
  return (exif ? picture.withExif(exif) : picture).jpeg().toBuffer();
}

/** An unused object name in a memory. */
export const freshName = (memoryId: string, ending = "jpg") => `${memoryId}/${randomUUID()}.${ending}`;

interface Target {
  url: string;
  token: string;
  bucket?: string;
  name: string;
  bytes: Buffer;
}

const nodeStack = new DefaultHttpStack({});
const httpStack: HttpStack = {
  getName: () => "node, with errors where its client goes on wrongly",
  createRequest(method, url) {
    const request = nodeStack.createRequest(method, url);
    const send = request.send.bind(request);
    request.send = async (body) => {
      const answering = send(body);
      // After a broken connection, tus-js-client would wait for the response for ever.
      const breaking = new Promise<never>((_, reject) => {
        const broke = new Error("The connection broke before the whole answer had come");
        // A complete response is reported slightly after its connection is free.
        (request.getUnderlyingObject() as ClientRequest).once("close", () => setImmediate(reject, broke));
      });
      const answer = await Promise.race([answering, breaking]);
      // If the server cannot report the offset, tus-js-client starts another upload.
      if (method === "HEAD" && answer.getStatus() >= 500) throw new Error("The server cannot answer at this moment");
      return answer;
    };
    return request;
  },
};

/** A resumable upload like in the web app, not started yet; `done` settles at its end. */
export function resumable({ url, token, bucket = "media", name, bytes }: Target, options: UploadOptions = {}) {
  let settle: { resolve: () => void; reject: (error: Error) => void };
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A test that aborts its upload does not wait for its end.
  done.catch(() => {});
  const upload = new Upload(bytes, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${token}` },
    metadata: {
      bucketName: bucket,
      objectName: name,
      contentType: "image/jpeg",
      cacheControl: "3600",
      metadata: JSON.stringify({ filename: "IMG_1.jpg" }),
    },
    uploadDataDuringCreation: false,
    retryDelays: null as unknown as number[],
    httpStack,
    ...options,
    onSuccess: (payload) => {
      options.onSuccess?.(payload);
      settle.resolve();
    },
    onError: (error) => settle.reject(error),
  });
  return { upload, done };
}

/** Uploads everything, resumably. */
export async function uploadResumably(target: Target, options: UploadOptions = {}): Promise<Upload> {
  const { upload, done } = resumable(target, options);
  upload.start();
  await done;
  return upload;
}
