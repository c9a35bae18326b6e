import { type ComponentType, lazy } from "react";

/** Milliseconds, doubled after each try. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Resolves after so many milliseconds, or as soon as the browser is connected again. */
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    window.addEventListener("online", go);
  });

/** Resolves to the result of `load`, after any number of failures. */
export async function orLater<Loaded>(load: () => Promise<Loaded>, wait = pause): Promise<Loaded> {
  for (let ms = FIRST_WAIT; ; ms = Math.min(ms * 2, LONGEST_WAIT)) {
    try {
      return await load();
    } catch {
      await wait(ms);
    }
  }
}

/**
 * `React.lazy` for an optional part of a page: if the network fails before it has loaded, the page stays and the part
 * loads later. A page itself is loaded by its route, which shows the failure.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => orLater(load));
