import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { SERVICE } from "../../database/as-caller.ts";
import type { Files } from "../../files/files.ts";
import { finalizeUpload } from "../../supabase/storage/finalize-upload.ts";
import { findBucket } from "../../supabase/storage/objects.ts";
import { type Item, type QueueDeps, queueJob } from "../queue.ts";
import { type Ffmpeg, ProgramError } from "../video/ffmpeg.ts";
import type { Job } from "../worker.ts";
import {
  beginFilm,
  deleteExpiredFilms,
  type FilmContents,
  type FilmFailure,
  reportProgress,
  storeFailure,
  storeFilm,
  storeWaiting,
} from "./film-rows.ts";
import { EmptyFilmError, makeFilm } from "./make-film.ts";

interface FilmDeps extends QueueDeps {
  files: Files;
  /** Absent if ffmpeg is not installed: then no films are made. */
  ffmpeg: Ffmpeg | undefined;
}

const RETRY_SECONDS = 30;

/** Why a film cannot be made, which its request shows. */
class FilmError extends Error {
  readonly failure: FilmFailure;
  constructor(failure: FilmFailure, options?: ErrorOptions) {
    super(`No film can be made: ${failure}`, options);
    this.failure = failure;
  }
}

/** Makes films of slideshows, one after the other, the one that has waited longest first; deletes them after their time. */
export function filmsJob(deps: FilmDeps): Job {
  const queue = queueJob<FilmContents>(deps, {
    kind: "films",
    load: (slideshow) => beginFilm(deps.db, slideshow),
    run: (contents, item) => make(contents, deps, item),
    isFinal: (error) => error instanceof FilmError || (error instanceof ProgramError && error.refused),
    pauseSeconds: RETRY_SECONDS,
    pause: storeWaiting,
    giveUp: (_contents, { subject, error }) =>
      storeFailure(subject, error instanceof FilmError ? error.failure : "failed"),
  });
  return {
    ...queue,
    async run(stop) {
      await deleteExpiredFilms(deps.db);
      return queue.run(stop);
    },
  };
}

/** Makes a film and stores it as an object, which nobody sees before the work ends with it. */
async function make(
  { memory_id, photos, pace, shows_captions: showsCaptions, changes, music }: FilmContents,
  { db, files, ffmpeg }: FilmDeps,
  { subject, signal, end, leave }: Item,
): Promise<boolean> {
  if (!ffmpeg) throw new FilmError("unavailable");
  if (photos.length === 0) throw new FilmError("empty");
  const version = randomUUID();
  const part = join(files.parts, version);
  const onProgress = async (progress: number) => {
    if (!(await reportProgress(db, subject, progress))) leave();
  };
  try {
    const plan = { photos, pace, showsCaptions, music: await musicPath(files, music) };
    const { seconds, ids } = await makeFilm(ffmpeg, files, plan, part, { signal, onProgress });
    const { size } = await stat(part);
    signal.throwIfAborted();
    const bucket = await findBucket(db, "films");
    const objectName = `${memory_id}/${version}.mp4`;
    const upload = { version, bucket, name: objectName, caller: SERVICE, upsert: false, userMetadata: {} };
    await finalizeUpload({ db, files }, upload);
    const media = music ? [...ids, music.id] : ids;
    if (await end(storeFilm(subject, { objectName, size, seconds, changes, media }))) return true;
    await db.query("delete from storage.objects where bucket_id = 'films' and name = $1", [objectName]);
    return false;
  } catch (error) {
    throw error instanceof EmptyFilmError ? new FilmError("empty") : error;
  } finally {
    await rm(part, { force: true });
  }
}

/** The local file of the music, as everybody plays it; undefined for none. */
async function musicPath(files: Files, music: FilmContents["music"]): Promise<string | undefined> {
  if (!music) return undefined;
  try {
    const copy = await files.videos.shared(music, false);
    const path = copy.type === "audio/mp4" ? await copy.local() : undefined;
    if (path) return path;
  } catch (error) {
    throw new FilmError("music", { cause: error });
  }
  throw new FilmError("music");
}
