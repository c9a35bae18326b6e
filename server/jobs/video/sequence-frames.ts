import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecodeSequence } from "../../files/pictures/avif-sequence.ts";
import { type Ffmpeg, readingArguments, run } from "./ffmpeg.ts";

/** Generous, because a program of low priority may wait; somebody waits for this copy, though. */
const TIMEOUT_MS = 2 * 60_000;
/** A decoder's own measure may be larger than the picture by less than a block on each side. */
const BLOCK = 128;
const ONE_BY_ONE = ["-nostdin", "-hide_banner", "-v", "error", "-threads", "1", "-noautorotate"];
const RAW_PIXELS = ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgba", "pipe:1"];

/** Decodes animated AVIFs with ffmpeg: as many frames and pixels as their tables promise, and no more. */
export function sequenceDecoder({ ffmpeg }: Ffmpeg): DecodeSequence {
  return async (source, { width, height, delay, hasAlpha }) => {
    const folder = typeof source === "string" ? undefined : await mkdtemp(join(tmpdir(), "skies-sequence-"));
    try {
      const path = typeof source === "string" ? source : join(folder ?? "", "sequence.avif");
      if (typeof source !== "string") await writeFile(path, source);
      // The size is fixed, because a stream may change its own.
      const sized = `scale=${width}:${height},format=`;
      const pictures = hasAlpha
        ? ["-filter_complex", `[0:0]${sized}yuva444p[p];[0:1]${sized}gray[a];[p][a]alphamerge`]
        : ["-map", "0:v:0", "-vf", `${sized}rgba`];
      const reading = ["-max_pixels", `${(width + BLOCK) * (height + BLOCK)}`, ...readingArguments(path, "video/mp4")];
      const writing = ["-frames:v", `${delay.length}`, ...RAW_PIXELS];
      return await run(ffmpeg, [...ONE_BY_ONE, ...reading, ...pictures, ...writing], {
        signal: new AbortController().signal,
        timeoutMs: TIMEOUT_MS,
      });
    } finally {
      if (folder) await rm(folder, { recursive: true, force: true });
    }
  };
}
