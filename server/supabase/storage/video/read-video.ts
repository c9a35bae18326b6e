import type { Blank } from "./blanks.ts";
import type { ByteSource } from "./byte-source.ts";
import { isoBlanks, isoFacts } from "./iso-video.ts";
import type { VideoFacts } from "./video-facts.ts";
import { webmBlanks, webmFacts } from "./webm-video.ts";

const isWebm = (type: string) => type === "video/webm";

/** How a video is seen, by its container; rejects with `UnreadableVideo`. */
export const videoFacts = (source: ByteSource, type: string): Promise<VideoFacts> =>
  isWebm(type) ? webmFacts(source) : isoFacts(source);

/**
 * What is to be put over a video so that it tells where, when, by whom and with what it was made no more, and plays as
 * before; in the order of the file. Rejects with `UnreadableVideo` where that can not be said.
 */
export const videoBlanks = (source: ByteSource, type: string): Promise<Blank[]> =>
  isWebm(type) ? webmBlanks(source) : isoBlanks(source);
