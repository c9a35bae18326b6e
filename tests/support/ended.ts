import { expect } from "vitest";

/**
 * Repeats `opens` until nothing opens any more. Fails if an attempt that begins more than a second after the end still
 * opens something. The duration of an attempt does not matter, because it depends on the machine.
 */
export async function expectEnded(opens: () => Promise<string[]>): Promise<void> {
  const ended = performance.now();
  for (;;) {
    const isLate = performance.now() - ended > 1000;
    const opened = await opens();
    if (isLate) expect(opened, "what opens a second after its end").toEqual([]);
    if (opened.length === 0) return;
  }
}
