import { open } from "node:fs/promises";
import { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from "mediabunny";
import { plausibleSeconds, plausibleSide } from "../../../shared/file-numbers.ts";
import { checkElements } from "./check-elements.ts";
import { checkTables } from "./check-tables.ts";
import { playedSeconds, readEdits } from "./edit-lists.ts";
import { containerRecorded, movieRecorded } from "./recording-date.ts";
import { soundRecorded } from "./sound-tags.ts";

/** The size of the library's cache for a file, in bytes. */
const CACHE_BYTES = 2 * 1024 * 1024;
const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/**
 * Opens the video in a local file for `work`. Supports the containers that can be copied without ffmpeg. Rejects with
 * `UnreadableVideoError` if its tables would mislead the library.
 */
export async function withVideo<T>(path: string, work: (input: Input, size: number) => Promise<T>): Promise<T> {
  // Warnings about a person's file are not logged.
  Logging.level = LogLevel.Silent;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.equals(EBML)) await checkElements(file);
    else await checkTables(file);
    const source = new CustomSource({
      getSize: () => size,
      async read(start, end) {
        const bytes = new Uint8Array(end - start);
        await file.read(bytes, 0, bytes.length, start);
        return bytes;
      },
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: "fileSystem",
      handleUnhandledError: () => {},
    });
    const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
    try {
      return await work(input, size);
    } finally {
      input.dispose();
    }
  } finally {
    await file.close();
  }
}

/** The facts that a container contains about its video; undefined if missing or implausible. */
export interface VideoFacts {
  /** Pixels as seen upright. */
  width: number | undefined;
  height: number | undefined;
  /** Seconds. */
  duration: number | undefined;
  /** `2019-05-04T12:33:11+02:00` if the local time is known; without an offset, it may be in UTC. */
  recorded: string | undefined;
  /** The identifier that links a video to its photo. */
  contentIdentifier: string | undefined;
}

const IPHONE_IDENTIFIER = "com.apple.quicktime.content.identifier";
const LONGEST_IDENTIFIER = 100;

/** Containers of recordings that the library reads; of the others, ffmpeg tells the duration. */
const MOVIES_OF_SOUND = new Set(["audio/mp4", "audio/webm", "audio/matroska"]);

/** Reads the size, duration and recording time of the video or recording in a local file. */
export async function readFacts(path: string, type: string): Promise<Partial<VideoFacts>> {
  if (type.startsWith("audio/") && !MOVIES_OF_SOUND.has(type)) return { recorded: await soundRecorded(path, type) };
  const recorded = await containerRecorded(path, type);
  return recorded ? { recorded } : readMovieFacts(path, type);
}

const readMovieFacts = (path: string, type: string): Promise<VideoFacts> =>
  withVideo(path, async (input) => {
    const track = await input.getPrimaryVideoTrack();
    const duration =
      playedSeconds(await readEdits(path)) ??
      (await input.getDurationFromMetadata()) ??
      (await input.computeDuration());
    return {
      width: plausibleSide(await track?.getDisplayWidth()),
      height: plausibleSide(await track?.getDisplayHeight()),
      duration: plausibleSeconds(duration),
      // A WebM's date is its writing time, which for phones and web pages is the time of the upload.
      recorded: /^(video|audio)\/(mp4|quicktime)$/.test(type)
        ? await movieRecorded(path, (await input.getMetadataTags()).raw ?? {}, type.startsWith("audio/"))
        : undefined,
      contentIdentifier: await identifierOf(input),
    };
  });

async function identifierOf(input: Input): Promise<string | undefined> {
  const identifier = (await input.getMetadataTags()).raw?.[IPHONE_IDENTIFIER];
  return typeof identifier === "string" && identifier.length <= LONGEST_IDENTIFIER ? identifier : undefined;
}
