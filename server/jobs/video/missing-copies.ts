import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { HOUR_MS } from "../housekeeping.ts";
import type { Job } from "../worker.ts";

const BATCH = 500;

interface ReadyMedia {
  id: string;
  bucket: string;
  version: string;
  playback: string | null;
  motion: string | null;
}

/**
 * Has the copies of videos made again that are marked as ready and do not exist, e.g. after the loss of a disk with only
 * copies, or because a power failure undid a rename. Without it, a page would get "not found" for ever.
 */
export const missingCopiesJob = ({ db, files }: { db: Database; files: Files }): Job => ({
  name: "missing-copies",
  interval: 24 * HOUR_MS,
  async run({ requested }) {
    const present = new Set(await files.copies.versions());
    // A store that several machines share is asked only for versions without any copy.
    const mayLack = ({ version }: ReadyMedia) => !files.isShared || !present.has(version);
    for (let after = "00000000-0000-0000-0000-000000000000"; !requested.aborted; ) {
      const { rows } = await db.query<ReadyMedia>(
        `select m.id, o.bucket_id as bucket, o.version, m.playback, m.motion from media m join storage.objects o on o.id = m.id
         where m.id > $1 and (m.playback = 'ready' or m.motion = 'ready') order by m.id limit ${BATCH}`,
        [after],
      );
      for (const row of rows.filter(mayLack)) await remake({ db, files }, row);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      after = last.id;
    }
    return undefined;
  },
});

async function remake({ db, files }: { db: Database; files: Files }, { id, playback, motion, ...key }: ReadyMedia) {
  if (playback === "ready" && !(await files.videos.playable(key))) {
    await db.query("update media set playback = null, playback_progress = null where id = $1 and playback = 'ready'", [
      id,
    ]);
  }
  if (motion === "ready" && !(await files.videos.motion(key))) {
    await db.query("update media set motion = 'waiting' where id = $1 and motion = 'ready'", [id]);
  }
}
