import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { CopyStore } from "../copy-store.ts";
import { type ByteRange, type BytesKey, MissingBytesError, type ObjectStore, type SentAs } from "../object-store.ts";
import type { CopiedStreams } from "./copy-streams.ts";
import type { VideoFacts } from "./open-video.ts";
import { UnreadableVideoError } from "./video-error.ts";
import { copyVideoStreams, readVideoFacts } from "./video-thread.ts";

/** The columns of a stored video. */
export interface StoredVideo extends BytesKey {
  /** Bytes of the original. */
  size: number;
  type: string;
}

/** A random-access copy of a video. */
export interface VideoCopy {
  /** The name of the copy, for an entity tag. */
  kind: string;
  size: number;
  type: string;
  open(range?: ByteRange): Promise<Readable | Buffer>;
  /** Its path on this machine for a while; undefined if it was removed. */
  local(): Promise<string | undefined>;
  /** A URL of the copy at the object storage service, as in `ObjectStore`. */
  url?(as: SentAs): Promise<string>;
}

/** The copies of videos and recordings, stored beside those of pictures. */
export interface Videos {
  /** The facts of the video in a local file; empty if its container is unreadable. */
  measure(path: string, type: string): Promise<Partial<VideoFacts>>;
  /**
   * The copy for everyone but managers: the copied streams, made first if needed, otherwise the playback copy; of a
   * recording, the playback copy first. Rejects with `UnreadableVideoError` if neither exists, and with `MissingBytesError`. `urgent` if a person waits for it.
   */
  shared(video: StoredVideo, urgent?: boolean): Promise<VideoCopy>;
  /** The copied streams, never the playback copy; rejects like `shared`. */
  streams(video: StoredVideo, urgent?: boolean): Promise<VideoCopy>;
  /** The playback copy, if there is one. */
  playable(key: BytesKey): Promise<VideoCopy | undefined>;
  /**
   * A path for writing a playback copy, in an existing folder. Removes abandoned files: an ffmpeg that outlived a
   * killed process may still write to them.
   */
  partPath(version: string): Promise<string>;
  /** Stores the finished file at `part` as the playback copy. */
  keepPlayable(version: string, part: string): Promise<void>;
  /** The playable copy of a photo's video, if there is one. */
  motion(key: BytesKey): Promise<VideoCopy | undefined>;
  /** Stores the finished file at `part` as the photo's video. */
  keepMotion(version: string, part: string, type: CopiedStreams["type"]): Promise<void>;
}

const PLAYABLE = "playable.mp4";
/** Names of a photo's video. */
const MOTION: Record<CopiedStreams["type"], string> = {
  "video/mp4": "motion.mp4",
  "video/quicktime": "motion.mov",
  "video/webm": "motion.webm",
};
const PART = ".part";
/** Names of copied streams; a playback copy is preferred to streams without sound. */
const STREAMS: Record<CopiedStreams["type"], { whole: string; silent: string }> = {
  "video/mp4": { whole: "streams.mp4", silent: "silent.mp4" },
  "video/quicktime": { whole: "streams.mov", silent: "silent.mov" },
  "video/webm": { whole: "streams.webm", silent: "silent.webm" },
};
/** Whether a copy of streams lacks a sound track of an unknown codec. */
export const lacksSound = ({ kind }: Pick<VideoCopy, "kind">): boolean => kind.startsWith("silent.");
/** The type of a video's container as one with only sound. */
export const soundType = (type: string): string => type.replace(/^video/, "audio");
/** The reason why no streams could be copied, stored so that requests do not retry. */
const UNREADABLE = "streams.unreadable";
/** A part that has not grown for so long is abandoned. */
const ABANDONED_MS = 10 * 60_000;

export function openVideos(copies: CopyStore, store: ObjectStore): Videos {
  const flights = new Map<string, Promise<void>>();

  async function copyAt(key: BytesKey, name: string, type: string): Promise<VideoCopy | undefined> {
    const size = await copies.size(key.version, name);
    if (size === undefined) return undefined;
    const { url } = copies;
    return {
      kind: name,
      size,
      type,
      open: (range) => copies.open(key, name, size, range),
      local: () => copies.local(key.version, name),
      ...(url && { url: (as) => url(key.version, name, as) }),
    };
  }

  async function findCopy(key: BytesKey, which: "whole" | "silent"): Promise<VideoCopy | undefined> {
    for (const [type, names] of Object.entries(STREAMS)) {
      const copy = await copyAt(key, names[which], type);
      if (copy) return copy;
    }
    return undefined;
  }

  const playable = (key: BytesKey) => copyAt(key, PLAYABLE, "video/mp4");

  async function shared(video: StoredVideo, urgent: boolean): Promise<VideoCopy> {
    const isSound = video.type.startsWith("audio/");
    // A recording's streams may be of a kind that few devices play.
    const rendition = isSound ? await playable(video) : undefined;
    const copy =
      rendition ?? (await findCopy(video, "whole")) ?? (await playable(video)) ?? (await streams(video, urgent));
    return isSound ? { ...copy, type: soundType(copy.type) } : copy;
  }

  async function make(video: StoredVideo, urgent: boolean): Promise<void> {
    const refused = await copies.local(video.version, UNREADABLE);
    if (refused) throw new UnreadableVideoError(await readFile(refused, "utf8"));
    const inside = await copies.folder(video.version);
    await removeAbandoned(inside);
    const part = join(inside, `streams.${randomUUID()}${PART}`);
    const original = await store.local(video);
    try {
      const { type, lacksSound } = await copyVideoStreams(
        { path: original.path, size: video.size, copyTo: part },
        urgent,
      );
      const name = STREAMS[type][lacksSound ? "silent" : "whole"];
      await rename(part, join(inside, name));
      await copies.keep(video.version, name);
    } catch (error) {
      if (error instanceof UnreadableVideoError) {
        await writeFile(join(inside, UNREADABLE), error.reason);
        await copies.keep(video.version, UNREADABLE);
      }
      throw error;
    } finally {
      await rm(part, { force: true });
      await original.release();
    }
  }

  /** Parallel requests wait for the same copy. */
  function fly(video: StoredVideo, urgent: boolean): Promise<void> {
    const flight = flights.get(video.version) ?? make(video, urgent).finally(() => void flights.delete(video.version));
    flights.set(video.version, flight);
    return flight;
  }

  async function streams(video: StoredVideo, urgent = true): Promise<VideoCopy> {
    const copy = (await findCopy(video, "whole")) ?? (await findCopy(video, "silent"));
    if (copy) return copy;
    await fly(video, urgent);
    const made = (await findCopy(video, "whole")) ?? (await findCopy(video, "silent"));
    if (!made) throw new MissingBytesError(video);
    return made;
  }

  /** Syncs the bytes first, because a rename may survive a loss of power that the bytes do not. */
  async function keepFile(version: string, part: string, name: string): Promise<void> {
    const file = await open(part, "r+");
    await file.sync().finally(() => file.close());
    await rename(part, join(await copies.folder(version), name));
    await copies.keep(version, name);
  }

  return {
    measure: (path, type) =>
      readVideoFacts(path, type).catch((error: unknown) => {
        if (error instanceof UnreadableVideoError) return {};
        throw error;
      }),
    streams,
    shared: (video, urgent = true) => shared(video, urgent),
    playable,
    async partPath(version) {
      const inside = await copies.folder(version);
      for (const name of await readdir(inside)) {
        if (name.startsWith(PLAYABLE) && name.endsWith(PART)) await rm(join(inside, name), { force: true });
      }
      return join(inside, `${PLAYABLE}.${randomUUID()}${PART}`);
    },
    keepPlayable: (version, part) => keepFile(version, part, PLAYABLE),
    async motion(key) {
      for (const [type, name] of Object.entries(MOTION)) {
        const copy = await copyAt(key, name, type);
        if (copy) return copy;
      }
      return undefined;
    },
    keepMotion: (version, part, type) => keepFile(version, part, MOTION[type]),
  };
}

/** Removes unfinished copies of killed processes. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(PART) || name.startsWith(PLAYABLE)) continue;
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts && facts.mtimeMs < Date.now() - ABANDONED_MS) await rm(join(folder, name), { force: true });
  }
}
