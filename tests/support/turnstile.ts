import { afterAll } from "vitest";
import { openTurnstile, type Turnstile } from "../../sandboxes/bot-check/turnstile.ts";

/** The sandbox bot check on a port of its own; closed after the file. */
export async function testTurnstile(): Promise<Turnstile> {
  const turnstile = await openTurnstile();
  afterAll(() => turnstile.close());
  return turnstile;
}
