/** A place for a short list of texts that outlives the page, as `localStorage` is. */
export type ListStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface DelayedDeletionsDeps {
  /** Under which the list is kept. */
  key: string;
  /** Deletes what these names stand for, for good; deleting what is gone is no error. */
  remove: (names: readonly string[]) => Promise<void>;
  storage: ListStorage;
  onFailed: (error: unknown) => void;
}

/**
 * What a person has deleted and may still want back, by name, as an external store. It is hidden at once and deleted
 * when the way back has closed. The list outlives the page, so a reload or a crash in between neither brings a deleted
 * thing back nor, while undoing is possible, takes one that was undone: undoing leaves the list first.
 */
export class DelayedDeletions {
  readonly #deps: DelayedDeletionsDeps;
  readonly #listeners = new Set<() => void>();
  /** What may still be wanted back. */
  #waiting: readonly string[];
  /** What is deleted for good: a list that was read before still has it, and must not show it again. */
  readonly #gone = new Set<string>();
  #hidden: ReadonlySet<string>;

  constructor(deps: DelayedDeletionsDeps) {
    this.#deps = deps;
    this.#waiting = readList(deps);
    this.#hidden = new Set(this.#waiting);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The names of what is not to be shown. */
  readonly snapshot = (): ReadonlySet<string> => this.#hidden;

  /** Hides things until they are undone or finished. */
  begin(...names: string[]): void {
    this.#set([...this.#waiting, ...names]);
  }

  undo(...names: string[]): void {
    const back = new Set(names);
    this.#set(this.#waiting.filter((name) => !back.has(name)));
  }

  /** Deletes for good what is hidden, or only what has these names; where that fails it is shown again. */
  async finish(...only: string[]): Promise<void> {
    const these = new Set(only);
    const names = this.#waiting.filter((name) => only.length === 0 || these.has(name));
    if (names.length === 0) return;
    try {
      await this.#deps.remove(names);
      for (const name of names) this.#gone.add(name);
    } catch (error) {
      this.#deps.onFailed(error);
    }
    this.undo(...names);
  }

  /** Lets what these names stood for be shown again, as it may have come anew since it was deleted. */
  release(...names: string[]): void {
    for (const name of names) this.#gone.delete(name);
    this.#set(this.#waiting);
  }

  #set(names: readonly string[]): void {
    this.#waiting = names;
    this.#hidden = new Set([...names, ...this.#gone]);
    const { storage, key } = this.#deps;
    try {
      if (names.length > 0) storage.setItem(key, JSON.stringify(names));
      else storage.removeItem(key);
    } catch {
      // Storage is full or forbidden: then only a crash in these few seconds would keep it.
    }
    for (const listener of this.#listeners) listener();
  }
}

function readList({ storage, key }: DelayedDeletionsDeps): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
