import { useEffect, useRef, useState } from "react";
import { HEAD_BYTES, isVideo, maxBytesOf, mediaType } from "../../../media/uploads/media-type.ts";
import { coverName, coverTransport } from "../../../media/uploads/queues.ts";
import { UploadFailure, type UploadProblem } from "../../../media/uploads/upload-failure.ts";
import type { SentFile } from "../../../media/uploads/upload-transport.ts";

/** A cover on its way to the server, or one that did not arrive. */
type CoverUpload =
  | { share: number; cancel: () => void; problem?: undefined; retry?: undefined }
  | { problem: UploadProblem; retry: (() => void) | undefined };

/** Stores a picture as a cover, resumably; `onStored` gets the name of its object. */
export function useCoverUpload(onStored: (cover: string) => void) {
  const [upload, setUpload] = useState<CoverUpload>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (sent: SentFile, file: File) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const cancel = () => {
      control.abort();
      setUpload(undefined);
    };
    setUpload({ share: 0, cancel });
    try {
      await coverTransport().send(sent, file, {
        signal: control.signal,
        onProgress: (bytes) => !control.signal.aborted && setUpload({ share: bytes / sent.size, cancel }),
        onAddress: (url) => {
          sent.url = url;
        },
      });
      setUpload(undefined);
      onStored(coverName(sent));
    } catch (error) {
      if (control.signal.aborted) return;
      const problem = error instanceof UploadFailure ? error.problem : "failed";
      // What has arrived stays there, and the rest follows it.
      setUpload({ problem, retry: () => void send(sent, file) });
    }
  };

  const start = async (file: File) => {
    const type = mediaType(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    if (!type || isVideo(type)) return setUpload({ problem: "type", retry: undefined });
    if (file.size > maxBytesOf(type)) return setUpload({ problem: "size", retry: undefined });
    await send({ id: crypto.randomUUID(), name: file.name, type, size: file.size }, file);
  };
  return { upload, start };
}
