import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** The module that asks the database before it removes bytes. */
const REMOVER = "server/supabase/storage/remove-bytes.ts";

/** Modules of the server that delete files or names of a bucket, with what they delete. */
export const DELETERS = {
  "server/files/object-store.ts": "originals, for the remover",
  "server/files/copy-store.ts": "copies, for the remover",
  "server/files/uploads/incoming.ts": "received parts, for the remover; local copies and a copy that failed",
  "server/files/s3/bucket.ts": "any name; the parts of a failed stream that it began itself",
  "server/files/s3/objects.ts": "originals, for the remover; local copies that were uploaded or read",
  "server/files/s3/incoming.ts": "received parts, for the remover; tails whose bytes are stored in later parts",
  "server/files/s3/copies.ts": "copies, for the remover; the local cache of the bucket",
  "server/files/pictures/copies.ts": "an unfinished copy that it wrote itself",
  "server/files/videos/videos.ts": "unfinished copies, which are made again",
  "server/jobs/films/film-job.ts": "an unfinished film that it wrote itself",
  "server/jobs/films/make-film.ts": "a temporary folder of its own",
  "server/jobs/video/make-playable.ts": "an unfinished copy that it wrote itself",
  "server/jobs/video/motion-job.ts": "an unfinished copy and a temporary folder of its own",
  "server/jobs/video/playback-job.ts": "an unfinished copy that it wrote itself",
  "server/jobs/video/poster.ts": "an unfinished poster that it wrote itself",
  "server/jobs/video/tone-map.ts": "a temporary folder of its own",
  "server/jobs/video/sequence-frames.ts": "a temporary folder of its own",
  "server/jobs/read-back/intact-copy.ts": "a local copy that it wrote itself",
  "server/backup/backup.ts": "a temporary folder of its own; old backups, while it holds the lock of all backups",
  "server/backup/place.ts": "files of backups, for backup.ts",
  "server/backup/vault.ts": "files of backups, for backup.ts",
  "server/backup/move.ts": "a temporary list of its own",
  "server/backup/restore.ts": "a part that it wrote itself",
  "server/supabase/storage/open-resumable.ts": "the socket of a lock",
};

const DELETES =
  /import\s*\{[^}]*\b(rm|rmdir|unlink|truncate|rmSync|rmdirSync|unlinkSync)\b[^}]*\}\s*from "node:fs(\/promises)?"|\bDelete(Object|Objects)Command\b|\bAbortMultipartUploadCommand\b|\b(bucket|vault|place)\.(remove|removeFolder|removeUnfinished|abortUpload)\(/;
const ASKS = /\.(removeBytes|removeParts)\(|\bstorage\.(decide_removals|removed)\b/;
/** Modules that delete files which are no bytes of objects. */
const OTHER_FILES = /^server\/database\/embedded\//;

/**
 * The reason why a module of the server may not delete what it deletes; undefined if it may.
 * @param {string} path
 * @param {string} text
 */
export function forbiddenRemoval(path, text) {
  if (path !== REMOVER && ASKS.test(text)) return `only ${REMOVER} removes bytes: call discardBytes`;
  if (path in DELETERS || OTHER_FILES.test(path) || !DELETES.test(text)) return undefined;
  return `it deletes files. Bytes are removed by ${REMOVER} only; list it in scripts/checks/byte-removal.mjs if these are others`;
}

/** Checks that stored bytes are removed in one module only. */
export async function byteRemoval() {
  const wrong = await Promise.all(
    sources(/(?<!\.test)\.ts$/, "server").map(async (path) => {
      const reason = forbiddenRemoval(path, await readFile(join(root, path), "utf8"));
      return reason ? [`  ${path}: ${reason}`] : [];
    }),
  );
  return { wrong: wrong.flat().join("\n") };
}
