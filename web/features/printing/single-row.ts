import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Answer, type Revised, saveOver } from "../../data/save-over.ts";
import type { DraftInput } from "../../data/use-draft.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** A row of which a memory has one at most, e.g. the words on its printed cards. */
interface SingleRow<Row extends Revised> {
  queryKey: readonly unknown[];
  /** What counts until somebody saves; a stored row has a higher revision. */
  nothing: Row;
  read: (signal: AbortSignal) => PromiseLike<Answer<Row>>;
  insert: (values: Partial<Row>) => PromiseLike<Answer<Row>>;
  update: (values: Partial<Row> & Revised) => PromiseLike<Answer<Row>>;
  /** The messages of errors. */
  failures: { load: string; save: string };
}

export const singleRowQuery = <Row extends Revised>({ queryKey, nothing, read, failures }: SingleRow<Row>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Row> => (await read(signal).then(unwrap(failures.load))) ?? nothing,
    // The fields begin with what is stored now, not with what another manager has changed since.
    gcTime: 0,
  });

const NEVER = new AbortController().signal;

/** Saves the row. Rejects with `EditConflict` if somebody else changed the same fields since. */
export function useSaveSingleRow<Row extends Revised>({ queryKey, read, insert, update, failures }: SingleRow<Row>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ base, next }: DraftInput<Row>) =>
      saveOver<Row>(base, next, {
        failure: failures.save,
        write: async (values) => {
          const { revision, ...others } = values;
          if (revision > 0) return update(values);
          const { data, error } = await insert(others as Partial<Row>);
          // Somebody else saved the first one in the meantime.
          return { data, error: error?.code === "23505" ? { code: "PT409", hint: "conflict" } : error };
        },
        read: () => read(NEVER),
      }),
    onSuccess: (stored) => cache.setQueryData(queryKey, stored),
  });
}
