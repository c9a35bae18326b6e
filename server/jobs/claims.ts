import type { Database } from "../database/database.ts";

/** How long a claim holds without being renewed, in seconds: work of a process that is gone waits no longer. */
export const CLAIM_SECONDS = 30;
const RENEW_MS = 5000;
/** How often a queue is looked at for claims that have ended, in milliseconds: a process that was killed notifies nobody. */
export const RECHECK_MS = 15_000;
/** Milliseconds without a renewal after which somebody else is about to claim it. */
const TOO_LONG_MS = CLAIM_SECONDS * 1000 - 2 * RENEW_MS;

/** Aborted when a claim is somebody else's, or gone with what was claimed; and when it may be soon. */
interface Loss {
  lost: AbortSignal;
  endangered: AbortSignal;
}

/** Does `work` while `renew` holds its claim, which resolves to whether it is still held. No renewal outlasts the work. */
export async function renewing<T>(renew: () => Promise<boolean>, work: (loss: Loss) => Promise<T>): Promise<T> {
  const [lost, endangered] = [new AbortController(), new AbortController()];
  let renewedAt = performance.now();
  let renewal: Promise<void> | undefined;
  const holdOn = async () => {
    const askedAt = performance.now();
    // While the database is away nobody else can claim it: it is asked again.
    const isHeld = await renew().catch(() => undefined);
    if (isHeld) renewedAt = askedAt;
    if (isHeld === false) lost.abort(new Error("The claim has ended"));
    renewal = undefined;
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > TOO_LONG_MS) endangered.abort(new Error("The claim could not be renewed"));
    if (!lost.signal.aborted) renewal ??= holdOn();
  }, RENEW_MS);
  try {
    return await work({ lost: lost.signal, endangered: endangered.signal });
  } finally {
    clearInterval(timer);
    await renewal;
  }
}

/** A photo or video that this process has claimed. The number of attempts names the claim. */
interface MediaClaim {
  media_id: string;
  attempts: number;
}

const MEDIA_CLAIMS = {
  media_claims: "private.media_claims",
  motion_claims: "private.motion_claims",
  playback_claims: "private.playback_claims",
  video_copies: "private.video_copies",
} as const;
type MediaClaims = keyof typeof MEDIA_CLAIMS;

/** Holds a claim on a photo or a video for as long as `work` takes. */
export const renewingMedia = <T>(
  db: Database,
  table: MediaClaims,
  { media_id, attempts }: MediaClaim,
  work: (loss: Loss) => Promise<T>,
): Promise<T> =>
  renewing(async () => {
    const { changed } = await db.query(
      `update ${MEDIA_CLAIMS[table]} set until = now() + make_interval(secs => $3) where media_id = $1 and attempts = $2`,
      [media_id, attempts, CLAIM_SECONDS],
    );
    return changed > 0;
  }, work);

/** Lets somebody try again after so many seconds; an attempt that was not the fault of the file does not count. */
export async function releaseMedia(
  db: Database,
  table: MediaClaims,
  { media_id, attempts }: MediaClaim,
  { seconds, counts }: { seconds: number; counts: boolean },
): Promise<void> {
  await db.query(
    `update ${MEDIA_CLAIMS[table]} set until = now() + make_interval(secs => $3), attempts = attempts - $4::integer
     where media_id = $1 and attempts = $2`,
    [media_id, attempts, seconds, counts ? 0 : 1],
  );
}
