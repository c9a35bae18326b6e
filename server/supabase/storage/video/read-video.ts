import type { Blank } from "./blanks.ts";
import type { ByteSource } from "./byte-source.ts";
import { isoBlanks, isoFacts } from "./iso-video.ts";
import { UnreadableVideo } from "./video-error.ts";
import type { VideoFacts } from "./video-facts.ts";
import { webmBlanks, webmFacts } from "./webm-video.ts";

/** How a video is seen, by its container; rejects with `UnreadableVideo`. */
export const videoFacts = (source: ByteSource, type: string): Promise<VideoFacts> =>
  orRefused(type === "video/webm" ? webmFacts(source) : isoFacts(source));

/**
 * What is to be put over a video so that it tells where, when, by whom and with what it was made no more, and plays as
 * before; in the order of the file. Rejects with `UnreadableVideo` where that can not be said.
 */
export const videoBlanks = (source: ByteSource, type: string): Promise<Blank[]> =>
  orRefused(type === "video/webm" ? webmBlanks(source) : isoBlanks(source));

/** A number that leads out of the file is one of the file's own. */
async function orRefused<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableVideo("its tables contradict each other") : error;
  }
}
