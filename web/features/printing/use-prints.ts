import { useRef, useState } from "react";
import { EditConflict } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { type Prints, useSavePrints } from "./printing.queries.ts";

/**
 * The words in the fields and how they are saved: after each field that was changed. Saving waits for the one before, so
 * that each is based on the words that are stored.
 */
export function usePrints(client: SupabaseClient, memoryId: string, stored: Prints) {
  const save = useSavePrints(client, memoryId);
  const [draft, setDraft] = useState(stored);
  const base = useRef(stored);
  const queue = useRef(Promise.resolve());
  const store = (next: Prints) => {
    queue.current = queue.current.then(async () => {
      const { revision: _base, ...words } = next;
      try {
        base.current = await save.mutateAsync({ base: base.current, next: words });
      } catch {
        // The page shows the mutation's error.
      }
    });
  };
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<Prints>) : undefined;
  return {
    draft,
    /** Changes fields without saving them, while somebody types. */
    change: (changes: Partial<Prints>) => setDraft((known) => ({ ...known, ...changes })),
    /** Changes fields and saves everything. */
    save: (changes: Partial<Prints> = {}) => {
      const next = { ...draft, ...changes };
      setDraft(next);
      store(next);
    },
    conflict,
    failed: save.isError && !conflict,
    /** Ends a conflict with the reader's words or the stored ones. */
    settle: (whose: "mine" | "theirs") => {
      if (!conflict) return;
      base.current = conflict.stored;
      const theirs = Object.fromEntries(conflict.fields.map((field) => [field, conflict.stored[field]]));
      const next = whose === "mine" ? draft : { ...draft, ...theirs };
      setDraft(next);
      store(next);
    },
  };
}
