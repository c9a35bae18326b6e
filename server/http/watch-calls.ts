/**
 * Wraps the methods `names` of `target`, so that each call is reported under `kind` and the method's name. Traces are
 * the only implementation: they record each call as a span.
 */
export type WatchCalls = <Target extends object>(
  kind: string,
  target: Target,
  names: readonly (keyof Target & string)[],
) => Target;

/** Reports nothing: used without a trace collector. */
export const unwatched: WatchCalls = (_kind, target) => target;
