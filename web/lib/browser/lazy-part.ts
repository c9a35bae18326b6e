import { type ComponentType, createElement, type FunctionComponent, use, useContext, useEffect, useState } from "react";
import { PartBoundary, type PartFailure, PartProblem } from "./part-boundary.ts";

/** Delay before the first retry in milliseconds, doubled after each attempt. */
const FIRST_WAIT = 1000;
const ATTEMPTS = 3;
/** Interval of the attempts in the background, after the person has been told. */
export const BACKGROUND_MS = 10_000;

/** Resolves after `ms` milliseconds, or as soon as the browser is online again. */
export const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    addEventListener("online", () => resolve(), { once: true });
  });

/** Resolves to the result of `load`, which is called up to three times; rejects with the last error. */
export async function inAttempts<Loaded>(load: () => Promise<Loaded>, wait = pause): Promise<Loaded> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await wait(FIRST_WAIT * 2 ** (attempt - 1));
    }
  }
}

/** The file that a loader imports, and the file's export with the module if it contains several. */
const FILE = /import\(.(\.\/[^)]+).\)(?:\.then\(\w+=>\w+\.(\w+))?/;
/** The component that a loader picks from its module; other loaders return the module. */
const PICK = /^async.*\.(\w+)\}\)$/s;

/** The file that a part's loader imports, by its code as the build writes it; also the module in it, and the component. */
export function sourceOf(load: () => unknown) {
  const code = String(load);
  const [, file, module] = FILE.exec(code) ?? [];
  const component = PICK.exec(code)?.[1];
  return component || code[0] === "(" ? [file, module, component] : [];
}

/**
 * Returns a loader that requests a file by another URL if it could not be read, e.g. because half of it arrived: browsers
 * keep such a module. Some also keep one that they could not fetch, until a person asks.
 */
export const readable =
  <Loaded>(load: () => Promise<Loaded>, state?: { retried?: true }) =>
  async (): Promise<Loaded> => {
    try {
      return await load();
    } catch (error) {
      const [file, module, component] = sourceOf(load);
      if (!file || !(state?.retried || error instanceof SyntaxError)) throw error;
      const all = await import(/* @vite-ignore */ `${file}?2`);
      const part = module ? all[module] : all;
      return component ? ({ default: part[component] } as Loaded) : part;
    }
  };

/** A component that loads its code when it is first rendered, or earlier when `load` is called. */
export type LazyPart<Props> = FunctionComponent<Props> & {
  /** Resolves when the attempts have ended, also without success. */
  load: () => Promise<unknown>;
};

interface PartSource<Props> {
  /** Undefined until the code has loaded. */
  loaded: ComponentType<Props> | undefined;
  /** The attempts that run or have ended. */
  attempts: Promise<void> | undefined;
  begin: () => Promise<void>;
  failure: PartFailure;
  /** Whether the person has asked for another attempt. */
  retried?: true;
}

/**
 * Creates a component whose code is loaded separately, like `React.lazy`. If the code cannot be loaded, or the part cannot
 * be rendered, the rest of the page stays, and `failure` says what appears instead. (Pages are loaded by their route.)
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failure: PartFailure = "in place",
): LazyPart<Props> {
  const source: PartSource<Props> = {
    loaded: undefined,
    attempts: undefined,
    begin() {
      source.attempts ??= inAttempts(readable(load, source)).then(
        (part) => {
          source.loaded = part.default;
        },
        () => {},
      );
      return source.attempts;
    },
    failure,
  };
  return Object.assign(
    (props: Props) => createElement(PartBoundary, { failure }, createElement(Part<Props>, { source, props })),
    { load: source.begin },
  );
}

function Part<Props extends object>({ source, props }: { source: PartSource<Props>; props: Props }) {
  const [, setRound] = useState(0);
  if (!source.loaded) use(source.begin());
  return source.loaded
    ? createElement(source.loaded, props)
    : createElement(FailedPart<Props>, { source, onChange: () => setRound((round) => round + 1) });
}

/** Tries again in the background and when the person asks. */
function FailedPart<Props>({ source, onChange }: { source: PartSource<Props>; onChange: () => void }) {
  const Problem = useContext(PartProblem);
  useEffect(() => {
    const again = () => {
      source.attempts = undefined;
      void source.begin().then(() => source.loaded && onChange());
    };
    const timer = setInterval(again, BACKGROUND_MS);
    return () => clearInterval(timer);
  });
  return createElement(Problem, { failure: source.failure, retry: retryOf(source, onChange), retried: source.retried });
}

/** Returns what loads a failed part again when the person asks. */
export const retryOf = (source: Pick<PartSource<never>, "attempts" | "retried">, onChange: () => void) => () => {
  source.attempts = undefined;
  source.retried = true;
  onChange();
};
