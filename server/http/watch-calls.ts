/**
 * Returns `target` with each call of the methods `names` reported, under `kind` and the method's name. Traces are the one
 * implementation: they record each call as a span.
 */
export type WatchCalls = <Target extends object>(
  kind: string,
  target: Target,
  names: readonly (keyof Target & string)[],
) => Target;

/** Reports nothing: used without a trace collector. */
export const unwatched: WatchCalls = (_kind, target) => target;
