import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { changedFields, EditConflict, saveOver } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** A draft was published or discarded in the meantime, e.g. in another tab, and was not changed. */
export class DraftClosed extends Error {
  constructor(readonly isPublished: boolean) {
    super("Failed to save memory");
  }
}

type Field = keyof MemoryChanges;

const pick = (row: Memory, names: readonly (keyof Memory)[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Partial<Memory>;

/** The table's calls, so that tests can answer them. */
export interface DraftTable {
  /** Inserts the draft if there is no row with its id; resolves to the row in either case. */
  begin: (changes: MemoryChanges) => Promise<Memory>;
  /** Updates the row while it is a draft. */
  write: Parameters<typeof saveOver<Memory>>[2]["write"];
  read: Parameters<typeof saveOver<Memory>>[2]["read"];
}

/** The calls for a draft with an id made by the client, so that a repeated request creates only one. */
export const draftTable = (client: SupabaseClient, id: string): DraftTable => {
  const table = () => client.from("memories");
  const read = () => table().select().eq("id", id).maybeSingle();
  return {
    read,
    async begin(changes) {
      await table()
        .upsert({ id, draft: true, ...changes }, { onConflict: "id", ignoreDuplicates: true })
        .then(unwrap("Failed to save memory"));
      const row = await read().then(unwrap("Failed to save memory"));
      if (!row) throw new DraftClosed(false);
      return row;
    },
    write: (changes) => table().update(changes).eq("id", id).is("draft", true).select().maybeSingle(),
  };
};

/**
 * Saves a draft's form over the row that the form is based on, so that two tabs do not overwrite each other unseen.
 * `onTheirs` gets what another tab has stored in fields that a save did not change, and the values of that save. It
 * returns the fields that the form cannot show, because they have been edited since.
 */
export function draftSaving(
  table: DraftTable,
  existing: Memory | null,
  onTheirs: (theirs: MemoryChanges, saved: MemoryChanges) => readonly Field[],
) {
  /** The row with the values that this form showed first or has stored. Undefined before the row exists. */
  let base = existing ?? undefined;
  /** Values whose saving was not answered: if the row has them, they are this form's own. */
  const unanswered = new Map<Field, unknown[]>();

  function accept(before: Memory, stored: Memory, saved: MemoryChanges, fields: readonly Field[]) {
    const theirs = Object.entries(changedFields<Memory>(before, stored)).filter(
      ([name]) => name in saved && !fields.includes(name as Field),
    );
    const hidden = theirs.length > 0 ? onTheirs(Object.fromEntries(theirs), saved) : [];
    // With the former revision, a later save of a hidden field finds the conflict.
    base = hidden.length > 0 ? { ...stored, ...pick(before, hidden), revision: before.revision } : stored;
  }

  async function save(changes: MemoryChanges): Promise<void> {
    base ??= await table.begin(changes);
    const before = base;
    const changedValues = changedFields<Memory>(before, changes);
    const fields = Object.keys(changedValues) as Field[];
    for (const name of fields) unanswered.set(name, [...(unanswered.get(name) ?? []), changedValues[name]]);
    try {
      const stored = await saveOver<Memory>(before, changedValues, { failure: "Failed to save memory", ...table });
      accept(before, stored, changes, fields);
      for (const name of fields) unanswered.delete(name);
    } catch (error) {
      if (error instanceof EditConflict) {
        const { stored, fields: disputed } = error as EditConflict<Memory>;
        const isOwn = (name: keyof Memory) => unanswered.get(name as Field)?.includes(stored[name]) ?? false;
        const own = disputed.filter(isOwn);
        if (own.length === 0) throw error;
        base = { ...before, ...pick(stored, own) };
        return save(changes);
      }
      if (!(error instanceof Error) || error.cause) throw error;
      // No row and no error: it is a draft no longer. The response to an earlier attempt may have been lost.
      const { data: now, error: failure } = await table.read();
      if (failure) throw error;
      if (!now || Object.keys(changedFields<Memory>(now, changes)).length > 0) throw new DraftClosed(now !== null);
    }
  }

  /** Saves over this row from now on, after a person has chosen what to do about a conflict. */
  const rebase = (stored: Memory, disputed: readonly (keyof Memory)[]) => {
    if (base) base = { ...base, ...pick(stored, disputed) };
  };

  return { save, rebase };
}
