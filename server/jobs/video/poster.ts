import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SERVICE } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { isHdrTransfer } from "../../files/hdr-to-sdr.ts";
import type { BytesKey } from "../../files/object-store.ts";
import { finalizeUpload } from "../../supabase/storage/finalize-upload.ts";
import { findBucket } from "../../supabase/storage/objects.ts";
import { type Ffmpeg, readingArguments, run } from "./ffmpeg.ts";
import { posterArguments } from "./playback-plan.ts";
import type { Probe } from "./probe.ts";
import { type ToneMap, withToneMap } from "./tone-map.ts";

/** Generous, because a program of low priority may wait for its turn for minutes. */
const TIMEOUT_MS = 10 * 60_000;

interface Drawing {
  /** The arguments for reading the video, and its facts if they are known. */
  reading: string[];
  facts: Probe | undefined;
  /** The path of the result. */
  part: string;
  signal: AbortSignal;
}

/** Writes a poster, in SDR; rejects with `ProgramError`. */
export async function writePoster(ffmpeg: Ffmpeg, { reading, facts, part, signal }: Drawing): Promise<void> {
  const draw = (toneMap?: ToneMap) =>
    run(ffmpeg.ffmpeg, posterArguments({ reading, facts, toneMap: toneMap?.filters }, part), {
      signal,
      timeoutMs: TIMEOUT_MS,
      onLine: () => {},
      ...(toneMap && { folder: toneMap.folder }),
    });
  const transfer = facts?.picture?.color_transfer;
  await (isHdrTransfer(transfer) ? withToneMap(ffmpeg, { transfer, reading, signal }, draw) : draw());
}

/** Makes and stores the poster of a video whose browser could make none; rejects if ffmpeg cannot either. */
export async function makePoster(
  ffmpeg: Ffmpeg,
  { db, files }: { db: Database; files: Files },
  video: BytesKey & { type: string; name: string },
  facts: Probe | undefined,
  signal: AbortSignal,
): Promise<void> {
  const version = randomUUID();
  const part = join(files.parts, version);
  const original = await files.objects.local(video);
  try {
    const reading = readingArguments(original.path, video.type);
    await writePoster(ffmpeg, { reading, facts, part, signal });
    const bucket = await findBucket(db, "posters");
    const name = `${video.name}.jpg`;
    await finalizeUpload({ db, files }, { version, bucket, name, caller: SERVICE, upsert: false, userMetadata: {} });
  } finally {
    await original.release();
    await rm(part, { force: true });
  }
}
