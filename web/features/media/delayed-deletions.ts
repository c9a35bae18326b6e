/** A place for a short list of texts that outlives the page, as `localStorage` is. */
export type ListStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface DelayedDeletionsDeps {
  /** Deletes objects for good; deleting one that is gone is no error. */
  remove: (objectNames: readonly string[]) => Promise<void>;
  storage: ListStorage;
  onFailed: (error: unknown) => void;
}

const KEY = "skies-deletions";

/**
 * Photos that a person has deleted and may still want back, as an external store. They are hidden at once and deleted
 * when the way back has closed. The list outlives the page, so a reload or a crash in between neither brings a deleted
 * photo back nor, while undoing is possible, takes one that was undone: undoing leaves the list first.
 */
export class DelayedDeletions {
  readonly #deps: DelayedDeletionsDeps;
  readonly #listeners = new Set<() => void>();
  #hidden: ReadonlySet<string>;

  constructor(deps: DelayedDeletionsDeps) {
    this.#deps = deps;
    this.#hidden = new Set(readList(deps.storage));
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Object names of the photos that are not to be shown. */
  readonly snapshot = (): ReadonlySet<string> => this.#hidden;

  /** Hides a photo until it is undone or finished. */
  begin(objectName: string): void {
    this.#set([...this.#hidden, objectName]);
  }

  undo(objectName: string): void {
    this.#set([...this.#hidden].filter((name) => name !== objectName));
  }

  /** Deletes for good what is hidden, or only this photo; where that fails it is shown again. */
  async finish(objectName?: string): Promise<void> {
    const names = [...this.#hidden].filter((name) => objectName === undefined || name === objectName);
    if (names.length === 0) return;
    try {
      await this.#deps.remove(names);
    } catch (error) {
      this.#deps.onFailed(error);
    }
    this.#set([...this.#hidden].filter((name) => !names.includes(name)));
  }

  #set(names: string[]): void {
    this.#hidden = new Set(names);
    const { storage } = this.#deps;
    try {
      if (names.length > 0) storage.setItem(KEY, JSON.stringify(names));
      else storage.removeItem(KEY);
    } catch {
      // Storage is full or forbidden: then only a crash in these few seconds would keep the photo.
    }
    for (const listener of this.#listeners) listener();
  }
}

function readList(storage: ListStorage): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
