import type { Transaction } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import type { StoredVideo } from "../../files/videos/videos.ts";
import { type QueueDeps, queueJob } from "../queue.ts";
import type { Job } from "../worker.ts";
import type { Ffmpeg } from "./ffmpeg.ts";

interface CopyDeps extends QueueDeps {
  files: Files;
  /** If installed, it copies videos that our own code cannot. */
  ffmpeg: Ffmpeg | undefined;
}

/**
 * Copies the streams of stored videos into files without private data, one video at a time, so that the first visitor
 * need not wait for the copy.
 */
export const streamCopiesJob = ({ db, files, ffmpeg, log }: CopyDeps): Job => {
  /** If ffmpeg is installed, its result decides about a video that cannot be copied here. */
  const store = (id: string, isCopied: boolean) => (tx: Transaction) =>
    tx.query(
      `update media set visitor_copy = case
         when $2 or playback = 'ready' then 'ready'
         when not $3 or playback = 'failed' then 'failed'
         else visitor_copy end,
         state = case when $2 and state = 'broken' then 'ready' else state end
       where id = $1`,
      [id, isCopied, ffmpeg !== undefined],
    );
  return queueJob<StoredVideo>(
    { db, files, log },
    {
      kind: "video-streams",
      async load(id) {
        const { rows } = await db.query<StoredVideo>(
          `select bucket_id as bucket, version, (metadata ->> 'size')::bigint as size, metadata ->> 'mimetype' as type
           from storage.objects where id = $1`,
          [id],
        );
        return rows[0] && { ...rows[0], size: Number(rows[0].size) };
      },
      async run(video, { subject, end }) {
        const isCopied = await files.videos.streams(video, false).then(
          () => true,
          (error: unknown) => {
            // A video that only ffmpeg can copy has not failed.
            if (error instanceof UnreadableVideoError && ffmpeg) return false;
            throw error;
          },
        );
        return end(store(subject, isCopied));
      },
      isFinal: (error) => error instanceof UnreadableVideoError,
      giveUp: (_video, { subject }) => store(subject, false),
    },
  );
};
