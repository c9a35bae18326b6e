import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from "react";

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

/** A part of a page that is loaded when it is first shown, or before by `load`. */
export type LazyPart<Props> = FunctionComponent<Props> & { load: () => Promise<unknown> };

/** A part's component: `loaded` is undefined until its code is here, and `later` waits for it. */
interface PartSource<Props> {
  loaded: ComponentType<Props> | undefined;
  later: ComponentType<Props>;
}

/**
 * `React.lazy` for an optional part of a page: if the network fails before it has loaded, the page stays and the part
 * loads later. A page itself is loaded by its route, which shows the failure. A part that has been loaded before is shown
 * at once, without its fallback.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> {
  let loading: ReturnType<typeof load> | undefined;
  const loadOnce = () => {
    loading ??= orLater(load).then((part) => {
      source.loaded = part.default;
      return part;
    });
    return loading;
  };
  const source: PartSource<Props> = {
    loaded: undefined,
    later: lazy(loadOnce) as unknown as ComponentType<Props>,
  };
  return Object.assign((props: Props) => createElement(Part<Props>, { source, props }), { load: loadOnce });
}

function Part<Props extends object>({ source, props }: { source: PartSource<Props>; props: Props }) {
  // Kept: another component would begin with new state.
  const [component] = useState(() => source.loaded ?? source.later);
  return createElement(component, props);
}
