/** The lifetime of a claim in seconds. The work of a killed process is delayed by this time. */
export const CLAIM_SECONDS = 30;
const RENEW_MS = 5000;
/** The polling interval for expired claims in milliseconds, because a killed process sends no notification. */
export const RECHECK_MS = 15_000;
/** Milliseconds without a renewal after which a claim is close to expiry. */
const TOO_LONG_MS = CLAIM_SECONDS * 1000 - 2 * RENEW_MS;

/** `lost`: the claim has ended or its row is deleted. `endangered`: it could not be renewed and is about to expire. */
interface Loss {
  lost: AbortSignal;
  endangered: AbortSignal;
}

/**
 * Runs `work` while `renew` extends its claim. `renew` resolves to whether the claim is still held. The last renewal
 * ends before this resolves.
 */
export async function renewing<T>(renew: () => Promise<boolean>, work: (loss: Loss) => Promise<T>): Promise<T> {
  const [lost, endangered] = [new AbortController(), new AbortController()];
  let renewedAt = performance.now();
  let renewal: Promise<void> | undefined;
  const holdOn = async () => {
    const askedAt = performance.now();
    // While the database is unreachable, no other process can claim it either, so renewing is retried.
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
