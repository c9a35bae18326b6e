import type { Database } from "../database/database.ts";
import type { Payments } from "../gateways/payments.ts";
import { startReconciling } from "../orders/reconcile.ts";
import type { Files } from "../supabase/storage/files.ts";
import type { Unsubscribing } from "../unsubscribing.ts";
import type { WriteNotices } from "./notices/letters.ts";
import { startNotices } from "./notices/loop.ts";
import type { Gateways } from "./outbox-delivery.ts";
import { startOutbox } from "./outbox-loop.ts";
import { startPlanTerms } from "./plan-terms.ts";
import { startRenditions } from "./renditions.ts";
import { startPurgingTrash } from "./trash.ts";
import { startUpkeep } from "./upkeep.ts";
import type { Ffmpeg } from "./video/ffmpeg.ts";
import { startMotions } from "./video/motion-job.ts";
import { startPlayback } from "./video/playback-job.ts";
import { startStreamCopies } from "./video/stream-copies.ts";

export interface JobDeps {
  db: Database;
  files: Files;
  gateways: Gateways;
  wishes?: Unsubscribing;
  /** Where the product is, without a slash at its end. */
  site: string;
  payments?: Payments | undefined;
  notices?: WriteNotices;
  /** Makes copies of videos, where it is installed. */
  ffmpeg?: Ffmpeg | undefined;
  log: { warn(fields: object, message: string): void; error(error: unknown, message?: string): void };
}

/** Starts the work that outlives requests; resolves to a function that ends it once what runs is done. */
export async function startJobs(deps: JobDeps): Promise<() => Promise<void>> {
  const stops = [
    await startUpkeep(deps),
    await startPurgingTrash(deps),
    await startRenditions(deps),
    await startStreamCopies({ ...deps, ffmpeg: deps.ffmpeg }),
    await startPlayback({ ...deps, ffmpeg: deps.ffmpeg }),
    await startMotions({ ...deps, ffmpeg: deps.ffmpeg }),
    // Plans end, and follow one another, also where none is sold.
    await startPlanTerms(deps),
  ];
  if (deps.payments) stops.push(await startReconciling({ ...deps, payments: deps.payments }));
  if (deps.gateways.mail || deps.gateways.sms) stops.push(await startNotices(deps), await startOutbox(deps));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
