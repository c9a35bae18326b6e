import { rm, stat } from "node:fs/promises";
import { share, timerMs } from "../../../shared/file-numbers.ts";
import type { Files } from "../../files/files.ts";
import { isHdrTransfer } from "../../files/hdr-to-sdr.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { lacksSound, type StoredVideo } from "../../files/videos/videos.ts";
import { type Ffmpeg, ProgramError, readingArguments, run } from "./ffmpeg.ts";
import { copyArguments, hasCutPictures, MOST_COPY_BYTES, type Plan, planFor } from "./playback-plan.ts";
import { type Probe, probe } from "./probe.ts";
import { type ToneMap, withToneMap } from "./tone-map.ts";

/** The timeout in milliseconds: relative to the video's seconds, within limits. */
const PATIENCE = { least: 10 * 60_000, most: 8 * 3_600_000, perSecond: 30_000 };

interface Making {
  signal: AbortSignal;
  /** The progress from 0 to 1. */
  onProgress: (part: number) => void;
  /** Called with the local original before the copy is made, which may take hours. */
  onFacts?: (facts: Probe, path: string) => Promise<void>;
}

/**
 * Makes the playback copy of a stored video if it needs one: if the original does not play everywhere, or its streams
 * could not be copied for visitors. Rejects with `ProgramError` if that fails, and with `MissingBytesError`.
 */
export async function makePlayable(
  ffmpeg: Ffmpeg,
  files: Files,
  video: StoredVideo,
  making: Making,
): Promise<{ outcome: "ready" | "unneeded"; facts: Probe }> {
  const { type } = video;
  const streams = await files.videos.streams(video, false).catch((error: unknown) => {
    if (error instanceof UnreadableVideoError) return undefined;
    throw error;
  });
  const original = await files.objects.local(video);
  try {
    const facts = await probe(ffmpeg, original.path, type, making.signal);
    await making.onFacts?.(facts, original.path);
    const isCut = hasCutPictures(facts);
    const cutPath = isCut && streams && !lacksSound(streams) ? await streams.local() : undefined;
    const plan = planFor(type, facts, streams !== undefined && (!isCut || cutPath !== undefined));
    if (!plan) throw new ProgramError("It has nothing to play", true);
    if (plan === "unneeded") return { outcome: plan, facts };
    const part = await files.videos.partPath(video.version);
    try {
      // Packets of a cut video come from the copied streams, which lack what was cut off.
      const source =
        plan.picture === "copy" && streams && cutPath !== undefined
          ? { path: cutPath, type: streams.type, facts: await probe(ffmpeg, cutPath, streams.type, making.signal) }
          : { path: original.path, type, facts };
      await writePlayable(ffmpeg, { ...source, plan, part }, making);
      // The length of a recording without a table of contents was estimated.
      if (plan.picture === "none") facts.duration = (await probe(ffmpeg, part, "audio/mp4", making.signal)).duration;
      await files.videos.keepPlayable(video.version, part);
    } finally {
      await rm(part, { force: true });
    }
    return { outcome: "ready", facts };
  } finally {
    await original.release();
  }
}

interface Rendition {
  /** The source's local file and type. */
  path: string;
  type: string;
  facts: Probe;
  plan: Exclude<Plan, "unneeded">;
  /** The path of the result. */
  part: string;
}

/** Writes a rendition that plays everywhere; rejects with `ProgramError`. */
export async function writePlayable(ffmpeg: Ffmpeg, rendition: Rendition, making: Making): Promise<void> {
  const { path, type, facts, plan, part } = rendition;
  const reading = readingArguments(path, type);
  const copy = (toneMap?: ToneMap) =>
    run(ffmpeg.ffmpeg, copyArguments({ plan, reading, facts, toneMap: toneMap?.filters }, part), {
      signal: making.signal,
      timeoutMs: timeoutFor(facts),
      onLine: follow(facts, making),
      ...(toneMap && { folder: toneMap.folder }),
    });
  const transfer = facts.picture?.color_transfer;
  if (plan.picture !== "encode from HDR" || !isHdrTransfer(transfer)) await copy();
  else {
    await withToneMap(ffmpeg, { transfer, reading, signal: making.signal }, copy).catch((error: unknown) => {
      // Not every build has the filter; a dull copy is better than none.
      if (!/lut3d/.test(String(error))) throw error;
      return copy();
    });
  }
  const { size } = await stat(part);
  if (size === 0 || size >= MOST_COPY_BYTES) throw new ProgramError("The copy would be too large", true);
}

const timeoutFor = ({ duration = 0 }: Probe) => timerMs(duration * PATIENCE.perSecond, PATIENCE);

/** Parses ffmpeg's progress lines: every second they contain the position in the video, in microseconds. */
const follow =
  ({ duration }: Probe, { onProgress }: Making) =>
  (line: string) => {
    const made = Number(line.match(/^out_time_us=(\d+)$/)?.[1]);
    if (duration && made >= 0) onProgress(share(made / 1e6 / duration));
  };
