import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { type BytesKey, MissingBytes, type ObjectStore } from "./object-store.ts";
import { queue } from "./queue.ts";
import type { ByteRange } from "./ranges.ts";
import { type Blank, blanking, readBack, writtenDown } from "./video/blanks.ts";
import { storedBytes, withFileBytes } from "./video/byte-source.ts";
import { videoBlanks, videoFacts } from "./video/read-video.ts";
import { UnreadableVideo } from "./video/video-error.ts";
import type { VideoFacts } from "./video/video-facts.ts";

/** A stored video, as its row knows it. */
export interface StoredVideo extends BytesKey {
  /** Bytes of the original. */
  size: number;
  type: string;
}

/** A copy of a video that can be read from any byte. */
export interface VideoCopy {
  size: number;
  type: string;
  open(range?: ByteRange): Promise<Readable>;
}

/** What others than its keepers get of a video, remembered beside its pictures' copies until its version goes. */
export interface Videos {
  /** How the video in a local file is seen; nothing where its container can not be followed. */
  measure(path: string, type: string): Promise<Partial<VideoFacts>>;
  /**
   * The original with everything blanked that is neither picture nor sound: as long, byte for byte in its place. Rejects
   * with `UnreadableVideo` where that can not be told apart, and with `MissingBytes`.
   */
  cleaned(video: StoredVideo): Promise<VideoCopy>;
  /** The copy that plays everywhere, if one has been made. */
  playable(key: BytesKey): Promise<VideoCopy | undefined>;
  /**
   * A path at which such a copy may be written, in a folder that is there. What a killed process left half done goes: a
   * program that outlived it may still be writing, and writes no more to what is kept.
   */
  partPath(version: string): Promise<string>;
  /** Makes the finished file at `part` the copy that plays everywhere. */
  keepPlayable(version: string, part: string): Promise<void>;
}

/** Of the second kind: the first left the notes between the pictures. */
const BLANKS = "blanks-2.json";
const PLAYABLE = "playable.mp4";
const PART = ".part";
/** Blanks that are kept in memory: a browser asks for many ranges of few videos. */
const REMEMBERED = 100;

export function openVideos(folder: string, store: ObjectStore): Videos {
  // Reading a container holds its tables in memory, and a long one the disk.
  const line = queue(2);
  const known = new Map<string, Promise<Blank[]>>();

  async function find(video: StoredVideo): Promise<Blank[]> {
    const path = join(folder, video.version, BLANKS);
    const written = await readFile(path, "utf8").catch(() => undefined);
    if (written !== undefined) return readBack(written);
    const blanks = await line.run(() => videoBlanks(storedBytes(store, video, video.size), video.type), true);
    await writeWhole(path, writtenDown(blanks));
    return blanks;
  }

  function blanksOf(video: StoredVideo): Promise<Blank[]> {
    const found = known.get(video.version) ?? find(video);
    // The latest asked for stands last.
    known.delete(video.version);
    known.set(video.version, found);
    found.catch(() => known.delete(video.version));
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(oldest);
    }
    return found;
  }

  return {
    measure: (path, type) =>
      line
        .run(() => withFileBytes(path, (source) => videoFacts(source, type)), true)
        .catch((error: unknown) => {
          if (error instanceof UnreadableVideo) return {};
          throw error;
        }),
    async cleaned(video) {
      const blanks = await blanksOf(video);
      return {
        size: video.size,
        type: video.type,
        async open(range) {
          // A stream that breaks off destroys the other one, and whoever reads it hears of it there.
          return pipeline(await store.read(video, range), blanking(blanks, range?.start ?? 0), () => {});
        },
      };
    },
    async playable(key) {
      const path = join(folder, key.version, PLAYABLE);
      const facts = await stat(path).catch(() => undefined);
      if (!facts) return undefined;
      return {
        size: facts.size,
        type: "video/mp4",
        async open(range) {
          const file = await open(path).catch((cause) => {
            throw new MissingBytes(key, { cause });
          });
          return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
        },
      };
    },
    async partPath(version) {
      const inside = join(folder, version);
      await mkdir(inside, { recursive: true });
      for (const name of await readdir(inside)) {
        if (name.startsWith(PLAYABLE) && name.endsWith(PART)) await rm(join(inside, name), { force: true });
      }
      return join(inside, `${PLAYABLE}.${randomUUID()}${PART}`);
    },
    keepPlayable: (version, part) => rename(part, join(folder, version, PLAYABLE)),
  };
}

/** Written beside and renamed, so that a name always leads to a whole file. */
async function writeWhole(path: string, text: string) {
  const part = `${path}.${randomUUID()}${PART}`;
  await mkdir(join(path, ".."), { recursive: true });
  try {
    await writeFile(part, text);
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}
