import { setTimeout as delay } from "node:timers/promises";
import type { ActiveUploads } from "../files/files.ts";

const LOOK_MS = 50;
const PATIENCE_MS = 3000;

/**
 * For what nobody waits for, as making photos ready while others still arrive: resolves in the next moment in which none
 * does, or after three seconds, so that a server to which somebody always sends something gets on with it too.
 */
export async function waitUntilIdle(activeUploads: Pick<ActiveUploads, "any">, patience = PATIENCE_MS): Promise<void> {
  const until = performance.now() + patience;
  while (activeUploads.any() && performance.now() < until) await delay(LOOK_MS);
}
