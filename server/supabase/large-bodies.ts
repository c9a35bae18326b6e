/** Characters of a body that takes milliseconds to look through. */
const LARGE = 100_000;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when a body may be looked through: at once for a small one, and for a large one in a turn of the event loop in
 * which no other large one is. Twenty that arrive together would else keep every other request waiting for all of them.
 */
export async function turnFor(body: unknown): Promise<void> {
  if (typeof body !== "string" || body.length < LARGE) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}
