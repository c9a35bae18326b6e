/** The part of `Storage` that the app uses. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * A storage of the browser that never throws. Where it is closed to the page, or full, what is kept lasts as long as the
 * page does.
 */
class SafeStorage implements KeyValueStorage {
  readonly #open: () => Storage;
  readonly #unstored = new Map<string, string>();

  constructor(open: () => Storage) {
    this.#open = open;
  }

  getItem(key: string): string | null {
    return this.#unstored.get(key) ?? attempt(() => this.#open().getItem(key)) ?? null;
  }

  /** Whether what is kept outlives the page. */
  setItem(key: string, value: string): boolean {
    this.#unstored.set(key, value);
    attempt(() => {
      this.#open().setItem(key, value);
      this.#unstored.delete(key);
    });
    return !this.#unstored.has(key);
  }

  removeItem(key: string): void {
    this.#unstored.delete(key);
    attempt(() => this.#open().removeItem(key));
  }

  clear(): void {
    this.#unstored.clear();
    attempt(() => this.#open().clear());
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What outlives the page, for all tabs. */
export const browserStorage = new SafeStorage(() => localStorage);
/** What outlives a reload, for this tab. */
export const tabStorage = new SafeStorage(() => sessionStorage);

/** What was kept as JSON; undefined where there is nothing, or nothing that can be read. */
export const readJson = (storage: KeyValueStorage, key: string): unknown =>
  attempt(() => JSON.parse(storage.getItem(key) ?? "null") ?? undefined);

/** Keeps a value as JSON; undefined and an empty list are forgotten. */
export function keepJson(storage: KeyValueStorage, key: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify(value));
}
