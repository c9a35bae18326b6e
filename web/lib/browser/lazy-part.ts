import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from "react";

/** Delay before a retry in milliseconds, doubled after each attempt. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** Resolves after `ms` milliseconds, or as soon as the browser is online again. */
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

/** Resolves to the result of `load`; retries until it succeeds. */
export async function orLater<Loaded>(load: () => Promise<Loaded>, wait = pause): Promise<Loaded> {
  for (let ms = FIRST_WAIT; ; ms = Math.min(ms * 2, LONGEST_WAIT)) {
    try {
      return await load();
    } catch {
      await wait(ms);
    }
  }
}

/** A component that loads its code when it is first rendered, or earlier when `load` is called. */
export type LazyPart<Props> = FunctionComponent<Props> & { load: () => Promise<unknown> };

/** The two forms of a part's component: `loaded`, undefined until its code has loaded, and `later`, which suspends. */
interface PartSource<Props> {
  loaded: ComponentType<Props> | undefined;
  later: ComponentType<Props>;
}

/**
 * Creates a lazy component like `React.lazy`, for an optional part of a page. If the network fails, the page stays and
 * the part loads later. (Pages are loaded by their route, which shows the error.) A loaded part is rendered
 * immediately, without a fallback.
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
  // In state, because switching from `later` to `loaded` would remount the part and reset its state.
  const [component] = useState(() => source.loaded ?? source.later);
  return createElement(component, props);
}
