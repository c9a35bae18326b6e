import { startTransition, useEffect, useState } from "react";
import type { LazyPart } from "./lazy-part.ts";

/** Pictures that take longer are not waited for. */
const WITHIN_MS = 3000;

/** Resolves when the page's eager pictures have loaded or failed, so that later downloads do not slow them down. */
export async function firstPictures(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>("img[loading=eager]")];
  const tooLong = new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  await Promise.race([tooLong, Promise.allSettled(pictures.map((picture) => picture.decode()))]);
}

/** Loads each of `code` in a task of its own: together with the effects of a page's first rendering it keeps a phone busy. */
async function loadEach(code: readonly Pick<LazyPart<never>, "load">[]): Promise<void> {
  const loading: Promise<unknown>[] = [];
  for (const part of code) {
    await new Promise((resolve) => setTimeout(resolve));
    loading.push(part.load());
  }
  await Promise.all(loading);
}

/**
 * How many of a page's later parts are shown, 0 to `count`. Once the first pictures and the code in `code` have loaded,
 * there is one more after each paint: all at once would keep a phone busy for a quarter of a second.
 */
export function useLaterParts(count: number, code: readonly Pick<LazyPart<never>, "load">[]): number {
  const [shown, setShown] = useState(0);
  const [ready] = useState(() => () => Promise.all([firstPictures(), loadEach(code)]));
  useEffect(() => {
    // What is added is rendered in steps of some milliseconds.
    const showNext = () => startTransition(() => setShown(shown + 1));
    if (shown === 0) void ready().then(showNext);
    else if (shown < count) showNext();
  }, [shown, count, ready]);
  return shown;
}
