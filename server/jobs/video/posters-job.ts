import { DV } from "../../../shared/video-format.ts";
import type { Database } from "../../database/database.ts";
import type { Files } from "../../files/files.ts";
import { RECHECK_MS } from "../claims.ts";
import { waitUntilIdle } from "../wait-until-idle.ts";
import { type Job, workOff } from "../worker.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { makePoster } from "./poster.ts";
import { probe } from "./probe.ts";

/** Containers that no browser plays, so that none can make a poster. */
const UNKNOWN_TO_BROWSERS = ["video/vnd.avi", "video/mp2t", "video/mpeg", "video/x-ms-asf", DV];
/** A browser uploads its poster right after the video, within this time. */
const BROWSER_SECONDS = 20;

interface PostersDeps {
  db: Database;
  files: Files;
  ffmpeg: Ffmpeg;
  log: { warn(fields: object, message: string): void };
}

interface WaitingVideo {
  id: string;
  bucket: string;
  version: string;
  name: string;
  type: string;
}

/**
 * Makes the posters of videos whose browser could make none, while their copies wait for others. Tries each video once;
 * the job that makes copies tries again.
 */
export function postersJob({ db, files, ffmpeg, log }: PostersDeps): Job {
  const tried: string[] = [];
  return {
    name: "video-posters",
    channel: "media_waiting",
    interval: RECHECK_MS,
    async run(stop) {
      const next = async () => {
        await waitUntilIdle(files.activeUploads);
        if (stop.requested.aborted) return undefined;
        const { rows } = await db.query<WaitingVideo>(
          `select m.id, o.bucket_id as bucket, o.version, m.object_name as name, o.metadata ->> 'mimetype' as type
           from media m join storage.objects o on o.id = m.id
           where m.type = 'video' and (m.playback is null or m.playback in ('waiting', 'making')) and m.poster_name is null
             and m.moderation <> 'attached' and m.id <> all ($1)
             and (m.created_at < now() - make_interval(secs => $2) or o.metadata ->> 'mimetype' = any ($3))
           order by m.created_at limit 1`,
          [tried, BROWSER_SECONDS, UNKNOWN_TO_BROWSERS],
        );
        return rows[0];
      };
      await workOff(stop, next, async (video) => {
        tried.push(video.id);
        try {
          const original = await files.objects.local(video);
          const facts = await probe(ffmpeg, original.path, video.type, stop.overdue).finally(() => original.release());
          await makePoster(ffmpeg, { db, files }, video, facts, stop.overdue);
        } catch (error) {
          log.warn({ media: video.id, reason: String(error) }, "No poster of a video could be made yet");
        }
      });
      return undefined;
    },
  };
}
