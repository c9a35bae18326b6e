import { startTransition, useEffect, useState } from "react";
import type { LazyPart } from "./lazy-part.ts";

/** Maximum wait for pictures, in milliseconds. */
const WITHIN_MS = 3000;

/** Resolves when the page's eager pictures have loaded or failed, so that later downloads do not slow them down. */
export async function firstPictures(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>("img[loading=eager]")];
  const tooLong = new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  await Promise.race([tooLong, Promise.allSettled(pictures.map((picture) => picture.decode()))]);
}

/**
 * Starts each load in a separate task. In one task with the effects of the first rendering, they would block a phone.
 */
async function loadEach(code: readonly Pick<LazyPart<never>, "load">[]): Promise<void> {
  const loading: Promise<unknown>[] = [];
  for (const part of code) {
    await new Promise((resolve) => setTimeout(resolve));
    loading.push(part.load());
  }
  await Promise.all(loading);
}

/**
 * Returns how many of a page's later parts to show, 0 to `count`. Once the first pictures and `code` have loaded, the
 * number increases by one after each paint: all parts at once would block a phone for a quarter of a second.
 */
export function useLaterParts(count: number, code: readonly Pick<LazyPart<never>, "load">[]): number {
  const [shownCount, setShown] = useState(0);
  const [ready] = useState(() => () => Promise.all([firstPictures(), loadEach(code)]));
  useEffect(() => {
    // A transition renders the added part in steps of some milliseconds.
    const showNext = () => startTransition(() => setShown(shownCount + 1));
    if (shownCount === 0) void ready().then(showNext);
    else if (shownCount < count) showNext();
  }, [shownCount, count, ready]);
  return shownCount;
}
