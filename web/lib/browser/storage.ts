/** The part of `Storage` that the app uses. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A browser storage that never throws. If it is blocked or full, values last until the page is closed. */
function safeStorage(open: () => Storage) {
  const unstored = new Map<string, string>();
  return {
    getItem: (key: string): string | null => unstored.get(key) ?? attempt(() => open().getItem(key)) ?? null,
    /** Whether the value outlives the page. */
    setItem(key: string, value: string): boolean {
      unstored.set(key, value);
      attempt(() => {
        open().setItem(key, value);
        unstored.delete(key);
      });
      return !unstored.has(key);
    },
    removeItem(key: string): void {
      unstored.delete(key);
      attempt(() => open().removeItem(key));
    },
    clear(): void {
      unstored.clear();
      attempt(() => open().clear());
    },
  };
}

/** Storage that outlives the page and is shared by all tabs. */
export const browserStorage = safeStorage(() => localStorage);
/** Storage that outlives a reload, for this tab. */
export const tabStorage = safeStorage(() => sessionStorage);

/** Whether nothing that this browser is asked to store outlives the page, e.g. because a person blocks it. */
export function isStorageBlocked(): boolean {
  const stored = browserStorage.setItem("skies-probe", "1");
  browserStorage.removeItem("skies-probe");
  return !stored;
}

/** The stored JSON; undefined if it is missing or unreadable. */
export const readJson = (storage: KeyValueStorage, key: string): unknown =>
  attempt(() => JSON.parse(storage.getItem(key) ?? "null") ?? undefined);

/** Stores a value as JSON; removes it for undefined and an empty list. */
export function keepJson(storage: KeyValueStorage, key: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify(value));
}
