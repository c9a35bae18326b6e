import type { Row } from "../../../shared/database.ts";
import type { SupabaseClient } from "./database-client.ts";

/** Something in the trash, or on its way there. */
export interface Deleted {
  kind: Row<"trash">["kind"];
  id: string;
}

const RESTORED_AT_ONCE = 500;

/** Restores what the caller deleted; rejects where one of the items can not be restored any more. */
export async function restoreDeleted(client: SupabaseClient, items: readonly Deleted[]): Promise<void> {
  let restored = 0;
  for (let from = 0; from < items.length; from += RESTORED_AT_ONCE) {
    const wanted = items.slice(from, from + RESTORED_AT_ONCE).map(({ kind, id }) => ({ kind, id }));
    const { data, error } = await client.rpc("restore_deleted", { items: wanted });
    if (error) throw new Error("Failed to restore", { cause: error });
    restored += data.length;
  }
  showAgain(items.map(({ id }) => id));
  if (restored < items.length) throw new Error("Failed to restore");
}

interface DeletionsDeps<Item> {
  /** Moves items to the trash; one that is gone already is no error. */
  remove: (items: readonly Item[]) => Promise<void>;
  restore: (items: readonly Item[]) => Promise<void>;
}

const all = new Set<{ show: (ids: readonly string[]) => void }>();

/** Has lists that hid these ids as deleted show them again. */
function showAgain(ids: readonly string[]): void {
  for (const deletions of all) deletions.show(ids);
}

/**
 * What a person deletes, by id, as an external store: it is hidden at once, and stays hidden in lists that were read
 * before. It can be undone as soon as the deletion has ended.
 */
export class Deletions<Item extends { id: string }> {
  readonly #deps: DeletionsDeps<Item>;
  readonly #listeners = new Set<() => void>();
  readonly #removals = new Map<string, Promise<unknown>>();
  #hidden: ReadonlySet<string> = new Set();

  constructor(deps: DeletionsDeps<Item>) {
    this.#deps = deps;
    all.add(this);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The ids of what is not to be shown. */
  readonly snapshot = (): ReadonlySet<string> => this.#hidden;

  /** Hides and deletes items; where that fails they are shown again and it rejects. */
  async remove(items: readonly Item[]): Promise<void> {
    const ids = items.map(({ id }) => id);
    this.#hide(new Set([...this.#hidden, ...ids]));
    const removal = this.#deps.remove(items);
    for (const id of ids) this.#removals.set(id, removal);
    try {
      await removal;
    } catch (error) {
      this.show(ids);
      throw error;
    }
  }

  /** Restores items once their deletion has ended, and shows them again; rejects where that fails. */
  async restore(items: readonly Item[]): Promise<void> {
    const removals = await Promise.allSettled(items.map(({ id }) => this.#removals.get(id)));
    // What could not be deleted is back already.
    const deleted = items.filter((_, index) => removals[index]?.status === "fulfilled");
    if (deleted.length === 0) return;
    await this.#deps.restore(deleted);
    this.show(deleted.map(({ id }) => id));
  }

  /** Shows items again, as after they were restored elsewhere. */
  show(ids: readonly string[]): void {
    const shown = new Set(ids);
    this.#hide(new Set([...this.#hidden].filter((id) => !shown.has(id))));
  }

  #hide(ids: ReadonlySet<string>): void {
    this.#hidden = ids;
    for (const listener of this.#listeners) listener();
  }
}
