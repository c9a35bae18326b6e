import type { Row } from "../../../shared/database.ts";
import { type KeyValueStorage, keepJson, readJson } from "../browser/storage.ts";
import { createStore, type Readable } from "../browser/store.ts";
import type { SupabaseClient } from "./database-client.ts";
import { unwrap } from "./unwrap.ts";

/** An item in the trash, or being moved there. */
export interface Deleted {
  kind: Row<"trash">["kind"];
  id: string;
}

const RESTORED_AT_ONCE = 500;

/** Restores items that the caller deleted; rejects if one of them can no longer be restored. */
export async function restoreDeleted(client: SupabaseClient, items: readonly Deleted[]): Promise<void> {
  let restored = 0;
  for (let from = 0; from < items.length; from += RESTORED_AT_ONCE) {
    const rows = items.slice(from, from + RESTORED_AT_ONCE).map(({ kind, id }) => ({ kind, id }));
    restored += (await client.rpc("restore_deleted", { items: rows }).then(unwrap("Failed to restore"))).length;
  }
  showAgain(items.map(({ id }) => id));
  if (restored < items.length) throw new Error("Failed to restore");
}

/** Deletions with undo. */
export interface Deletions<Item> {
  /** The ids of hidden items. */
  hidden: Readable<ReadonlySet<string>>;
  /** Hides items and deletes them now or later. If that fails, shows them again and rejects. */
  remove(items: readonly Item[]): Promise<void>;
  /** Shows items again; rejects if they cannot be restored. */
  restore(items: readonly Item[]): Promise<void>;
  /** Permanently deletes hidden items when their undo has ended. */
  finish?(items: readonly Item[]): Promise<void>;
  /** Called when lists have been reloaded without the items. */
  release?(items: readonly Item[]): void;
}

interface TrashDeletionsDeps<Item> {
  kind: Deleted["kind"];
  client: (items: readonly Item[]) => SupabaseClient | Promise<SupabaseClient>;
  /** Moves items to the trash, and ignores missing ones. */
  remove: (client: SupabaseClient, items: readonly Item[]) => Promise<unknown>;
}

const all = new Set<{ show: (ids: readonly string[]) => void }>();

/** Makes lists show these ids again. */
function showAgain(ids: readonly string[]): void {
  for (const deletions of all) deletions.show(ids);
}

/**
 * Deletions to the trash, by id. An item is hidden at once, also in lists that were loaded before. It can be restored
 * when its deletion has been answered.
 */
export class TrashDeletions<Item extends { id: string }> implements Deletions<Item> {
  readonly #deps: TrashDeletionsDeps<Item>;
  readonly #removals = new Map<string, Promise<unknown>>();
  readonly #hidden = createStore<ReadonlySet<string>>(new Set());

  constructor(deps: TrashDeletionsDeps<Item>) {
    this.#deps = deps;
    all.add(this);
  }

  readonly hidden: Readable<ReadonlySet<string>> = this.#hidden;

  async remove(items: readonly Item[]): Promise<void> {
    const ids = items.map(({ id }) => id);
    this.#hidden.set(new Set([...this.#hidden.get(), ...ids]));
    const removal = Promise.resolve(this.#deps.client(items)).then((client) => this.#deps.remove(client, items));
    for (const id of ids) this.#removals.set(id, removal);
    try {
      await removal;
    } catch (error) {
      this.show(ids);
      throw error;
    }
  }

  /** Restores items after their deletion was answered, and shows them again; rejects if that fails. */
  async restore(items: readonly Item[]): Promise<void> {
    const removals = await Promise.allSettled(items.map(({ id }) => this.#removals.get(id)));
    // Items whose deletion failed are shown already.
    const deleted = items.filter((_, index) => removals[index]?.status === "fulfilled");
    if (deleted.length === 0) return;
    const { kind, client } = this.#deps;
    await restoreDeleted(
      await client(deleted),
      deleted.map(({ id }) => ({ kind, id })),
    );
  }

  /** Shows items again, e.g. after they were restored elsewhere. */
  show(ids: readonly string[]): void {
    const deletedIds = new Set(ids);
    this.#hidden.set(new Set([...this.#hidden.get()].filter((id) => !deletedIds.has(id))));
  }
}

interface DelayedDeletionsDeps {
  /** The list's storage key. */
  key: string;
  storage: KeyValueStorage;
  /** Permanently deletes the items with these ids; missing ones are no error. */
  remove: (ids: readonly string[]) => Promise<void>;
  /** Calls `finish` when all hidden items are to be deleted; called once, on the first use. */
  watch: (finish: () => void) => void;
}

/**
 * Deletions without a trash, by id: an item is hidden at once and deleted when the undo ends. The list outlives the
 * page, so a reload or crash in between neither restores a deleted item nor deletes an item whose deletion was undone:
 * an undo first removes it from the list.
 */
export class DelayedDeletions implements Deletions<{ id: string }> {
  readonly #deps: DelayedDeletionsDeps;
  /** Hidden items whose undo has not ended. */
  #waiting: readonly string[] | undefined;
  /** Permanently deleted items, which lists that were loaded before must not show again. */
  readonly #gone = new Set<string>();
  readonly #hidden = createStore<ReadonlySet<string>>(new Set());

  constructor(deps: DelayedDeletionsDeps) {
    this.#deps = deps;
  }

  readonly hidden: Readable<ReadonlySet<string>> = {
    get: () => {
      this.#open();
      return this.#hidden.get();
    },
    subscribe: this.#hidden.subscribe,
  };

  /** Hides items until they are restored or finished. */
  async remove(items: readonly { id: string }[]): Promise<void> {
    this.#set([...this.#open(), ...items.map(({ id }) => id)]);
  }

  async restore(items: readonly { id: string }[]): Promise<void> {
    this.#show(items.map(({ id }) => id));
  }

  /** Permanently deletes these items, by default all hidden ones; if that fails it shows them again and rejects. */
  async finish(items?: readonly { id: string }[]): Promise<void> {
    const these = new Set(items?.map(({ id }) => id));
    const ids = this.#open().filter((id) => !items || these.has(id));
    if (ids.length === 0) return;
    try {
      await this.#deps.remove(ids);
      for (const id of ids) this.#gone.add(id);
    } finally {
      this.#show(ids);
    }
  }

  /** Shows items with these ids again, because they may have been created again after the deletion. */
  release(items: readonly { id: string }[]): void {
    for (const { id } of items) this.#gone.delete(id);
    this.#set(this.#open());
  }

  #show(ids: readonly string[]): void {
    const restored = new Set(ids);
    this.#set(this.#open().filter((id) => !restored.has(id)));
  }

  #open(): readonly string[] {
    if (!this.#waiting) {
      const { storage, key, watch } = this.#deps;
      const list = readJson(storage, key);
      this.#waiting = Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
      this.#hidden.set(new Set(this.#waiting));
      watch(() => void this.finish().catch(() => {}));
    }
    return this.#waiting;
  }

  #set(ids: readonly string[]): void {
    this.#waiting = ids;
    keepJson(this.#deps.storage, this.#deps.key, ids);
    this.#hidden.set(new Set([...ids, ...this.#gone]));
  }
}
