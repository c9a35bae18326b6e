import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SERVICE } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import type { BytesKey } from "../../files/object-store.ts";
import { finalizeUpload } from "../../supabase/storage/finalize-upload.ts";
import { findBucket } from "../../supabase/storage/objects.ts";
import { type Ffmpeg, readingArguments, run } from "./ffmpeg.ts";
import { posterArguments } from "./playback-plan.ts";

const PATIENCE_MS = 2 * 60_000;

/** Makes and stores the poster of a video that its browser could make none of; rejects where that can not be done. */
export async function makePoster(
  ffmpeg: Ffmpeg,
  { db, files }: { db: Database; files: Files },
  video: BytesKey & { type: string; name: string },
  signal: AbortSignal,
): Promise<void> {
  const version = randomUUID();
  const part = join(files.parts, version);
  const original = await files.objects.local(video);
  try {
    await run(ffmpeg.ffmpeg, posterArguments(readingArguments(original.path, video.type), part), {
      signal,
      patience: PATIENCE_MS,
      onLine: () => {},
    });
    const bucket = await findBucket(db, "posters");
    const name = `${video.name}.jpg`;
    await finalizeUpload({ db, files }, { version, bucket, name, caller: SERVICE, upsert: false, userMetadata: {} });
  } finally {
    await original.release();
    await rm(part, { force: true });
  }
}
