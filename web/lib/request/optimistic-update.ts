import { hashKey, matchQuery, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { refresh } from "./refresh.ts";

interface OptimisticUpdate<Data, Variables> {
  /** The key of the data, or a prefix of several keys. All changes of the same data use the same key. */
  queryKey: QueryKey;
  /** Applies the change to the data. Also called for data that arrives later and may contain the change. */
  change: (data: Data, variables: Variables) => Data;
  /**
   * Called when the last pending change is answered; by default reloads the data. `unsure` is false if all changes
   * succeeded and no older read is running.
   */
  readAgain?: (unsure: boolean) => unknown;
}

interface Step {
  change: (data: unknown) => unknown;
  /** The data of each query without this step, by the query's hash. */
  before: Map<string, unknown>;
}

/** The pending changes of the same data, in order. */
interface UnderWay {
  steps: Step[];
  refused: boolean;
  /** Set while the changes themselves write to the cache. */
  showing: boolean;
  stop: () => void;
}

const everywhere = new WeakMap<QueryClient, Map<string, UnderWay>>();

/**
 * The callbacks of a mutation that show its change before the server answers. Meanwhile fetched and pushed data is
 * shown with the change applied, so that an older answer does not restore the old state. A refused change is reverted,
 * and other changes stay. No read is cancelled, because a cancelled first read would never finish.
 */
export function optimisticUpdate<Data, Variables>(
  cache: QueryClient,
  { queryKey, change, readAgain = () => refresh(cache, queryKey) }: OptimisticUpdate<Data, Variables>,
) {
  const queries = cache.getQueryCache();
  const name = hashKey(queryKey);
  const all = everywhere.get(cache) ?? new Map<string, UnderWay>();
  everywhere.set(cache, all);

  const begin = () => {
    const begun: UnderWay = { steps: [], refused: false, showing: false, stop: () => {} };
    begun.stop = queries.subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "success" || begun.showing) return;
      if (!matchQuery({ queryKey }, event.query)) return;
      // A pushed change is merged into the shown data, and an undo does not remove it.
      show(cache, begun, event.query, event.query.state.data, begun.steps, !event.action.manual);
    });
    all.set(name, begun);
    return begun;
  };

  return {
    onMutate(changes: Variables) {
      const underWay = all.get(name) ?? begin();
      const step: Step = { change: (data) => change(data as Data, changes), before: new Map() };
      underWay.steps.push(step);
      for (const query of queries.findAll({ queryKey })) show(cache, underWay, query, query.state.data, [step]);
      return async (refusal: unknown) => {
        const place = underWay.steps.indexOf(step);
        underWay.steps.splice(place, 1);
        if (refusal) {
          underWay.refused = true;
          for (const [hash, before] of step.before) {
            const query = queries.get(hash);
            if (query) show(cache, underWay, query, before, underWay.steps.slice(place));
          }
        }
        if (underWay.steps.length > 0) return;
        underWay.stop();
        all.delete(name);
        await readAgain(underWay.refused || cache.isFetching({ queryKey }) > 0);
      };
    },
    onSettled: (_kept: unknown, refusal: unknown, _wish: Variables, answered?: (refusal: unknown) => Promise<void>) =>
      answered?.(refusal),
  };
}

/** Shows a query's data with these steps applied; `without` is the data before them. */
function show(cache: QueryClient, underWay: UnderWay, query: Query, without: unknown, steps: Step[], isWayBack = true) {
  if (without === undefined || without === null) return;
  const result = steps.reduce<unknown>((data, step) => {
    if (isWayBack) step.before.set(query.queryHash, data);
    return step.change(data);
  }, without);
  underWay.showing = true;
  cache.setQueryData(query.queryKey, result);
  underWay.showing = false;
}
