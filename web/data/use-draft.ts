import type { UseMutationResult } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { EditConflict, type Revised } from "./save-over.ts";

/** What a save is based on, and the new values. */
export interface DraftInput<Row extends Revised> {
  base: Row;
  next: Partial<Row>;
}

/** Changed fields, or a function that returns them from the fields as they are now. */
export type DraftChanges<Row> = Partial<Row> | ((current: Row) => Partial<Row>);

/**
 * What is in the fields and how it is saved: after each field that was changed. Saving waits for the one before, so that
 * each is based on what is stored.
 */
export function useDraft<Row extends Revised>(save: UseMutationResult<Row, Error, DraftInput<Row>>, stored: Row) {
  const [draft, setDraft] = useState(stored);
  const latest = useRef(stored);
  const base = useRef(stored);
  const queue = useRef(Promise.resolve());
  const set = (changes: DraftChanges<Row>) => {
    latest.current = { ...latest.current, ...(typeof changes === "function" ? changes(latest.current) : changes) };
    setDraft(latest.current);
    return latest.current;
  };
  const store = (next: Row) => {
    queue.current = queue.current.then(async () => {
      const { revision: _base, ...values } = next;
      try {
        base.current = await save.mutateAsync({ base: base.current, next: values as Partial<Row> });
      } catch {
        // The page shows the mutation's error.
      }
    });
  };
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<Row>) : undefined;
  return {
    draft,
    /** Changes fields without saving them, while somebody types. */
    change: (changes: DraftChanges<Row>) => void set(changes),
    /** Changes fields and saves everything. */
    save: (changes: DraftChanges<Row> = {}) => store(set(changes)),
    conflict,
    failed: save.isError && !conflict,
    /** Ends a conflict with the reader's values or the stored ones. */
    settle: (whose: "mine" | "theirs") => {
      if (!conflict) return;
      base.current = conflict.stored;
      const theirs = Object.fromEntries(conflict.fields.map((field) => [field, conflict.stored[field]]));
      store(set(whose === "mine" ? {} : (theirs as Partial<Row>)));
    },
  };
}
