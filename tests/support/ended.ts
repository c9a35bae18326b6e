import { expect } from "vitest";

/**
 * Tries what has just ended until nothing of it opens. What still opens when it is tried a second after the end is an error;
 * how long a try takes is the machine's affair.
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
