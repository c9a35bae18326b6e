import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { SERVICE } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { finalizeUpload } from "../../supabase/storage/finalize-upload.ts";
import { findBucket } from "../../supabase/storage/objects.ts";
import { RECHECK_MS, renewing } from "../claims.ts";
import { type Ffmpeg, ProgramError } from "../video/ffmpeg.ts";
import { waitUntilIdle } from "../wait-until-idle.ts";
import { type Job, workOff } from "../worker.ts";
import { type FilmClaim, type FilmContents, filmClaims } from "./film-claims.ts";
import { EmptyFilmError, makeFilm } from "./make-film.ts";

interface FilmDeps {
  db: Database;
  files: Files;
  /** Absent if ffmpeg is not installed: then no films are made. */
  ffmpeg: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

/** A film that failed so often, or crashed its process, is not tried again until somebody requests it. */
const MOST_ATTEMPTS = 3;
const RETRY_SECONDS = 30;

/** The music of a slideshow cannot be played. */
class MusicError extends Error {}

/** Makes films of slideshows, one after the other, the one that has waited longest first; deletes them after their time. */
export function filmsJob({ ffmpeg, ...deps }: FilmDeps): Job {
  const claims = filmClaims(deps.db);
  return {
    name: "films",
    channel: "film_requested",
    interval: RECHECK_MS,
    async run(stop) {
      await claims.deleteExpired();
      if (!ffmpeg) {
        await claims.refuse();
        return undefined;
      }
      const next = async () => {
        await waitUntilIdle(deps.files.activeUploads);
        return stop.requested.aborted ? undefined : claims.next();
      };
      await workOff(stop, next, (claim) =>
        renewing(
          () => claims.renew(claim),
          ({ lost }) => make(claim, { ...deps, ffmpeg }, { requested: stop.requested, lost }),
        ),
      );
      return undefined;
    },
  };
}

async function make(
  claim: FilmClaim,
  deps: FilmDeps & { ffmpeg: Ffmpeg },
  { requested, lost }: { requested: AbortSignal; lost: AbortSignal },
): Promise<void> {
  const claims = filmClaims(deps.db);
  if (claim.attempts > MOST_ATTEMPTS) return claims.fail(claim, "failed");
  const ended = new AbortController();
  try {
    await store(claim, deps, AbortSignal.any([requested, lost, ended.signal]), async (progress) => {
      if (!(await claims.reportProgress(claim, progress))) ended.abort(new Error("The film was cancelled"));
    });
  } catch (error) {
    // It was cancelled or withdrawn, and its claim is gone.
    if (lost.aborted || ended.signal.aborted) return;
    if (requested.aborted) return claims.release(claim, { seconds: -1, counts: false });
    if (error instanceof EmptyFilmError) return claims.fail(claim, "empty");
    if (error instanceof MusicError) return claims.fail(claim, "music");
    if (error instanceof ProgramError) {
      deps.log.warn({ slideshow: claim.slideshow_id, reason: error.message }, "A film could not be made");
      if (error.refused) return claims.fail(claim, "failed");
    } else deps.log.error(error, "A film could not be made");
    if (claim.attempts >= MOST_ATTEMPTS) return claims.fail(claim, "failed");
    return claims.release(claim, { seconds: RETRY_SECONDS, counts: true });
  }
}

/** Makes a film and stores it as an object, which nobody sees before the claim ends with it. */
async function store(
  claim: FilmClaim,
  { db, files, ffmpeg }: FilmDeps & { ffmpeg: Ffmpeg },
  signal: AbortSignal,
  onProgress: (progress: number) => Promise<void>,
): Promise<void> {
  const claims = filmClaims(db);
  const contents = await claims.contents(claim);
  if (!contents || contents.photos.length === 0) throw new EmptyFilmError();
  const { photos, pace, shows_captions: showsCaptions, changes, music } = contents;
  const version = randomUUID();
  const part = join(files.parts, version);
  try {
    const plan = { photos, pace, showsCaptions, music: await musicPath(files, music) };
    const { seconds, ids } = await makeFilm(ffmpeg, files, plan, part, { signal, onProgress });
    const { size } = await stat(part);
    signal.throwIfAborted();
    const bucket = await findBucket(db, "films");
    const objectName = `${claim.memory_id}/${version}.mp4`;
    const upload = { version, bucket, name: objectName, caller: SERVICE, upsert: false, userMetadata: {} };
    await finalizeUpload({ db, files }, upload);
    const media = music ? [...ids, music.id] : ids;
    if (await claims.finish(claim, { objectName, size, seconds, changes, media })) return;
    await db.query("delete from storage.objects where bucket_id = 'films' and name = $1", [objectName]);
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
    throw new MusicError("It cannot be played", { cause: error });
  }
  throw new MusicError("It cannot be played");
}
