import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A file that another app has shared with Skies. */
export interface ReceivedFile {
  id: number;
  file: File;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

interface Schema extends DBSchema {
  files: { key: number; value: Omit<ReceivedFile, "id"> };
}

/** Files that nobody has put into a memory after this time are deleted: a day, in milliseconds. */
const LONGEST_MS = 86_400_000;

/** The field of the form in which the system sends files (`server/pages/web-manifests.ts`). */
export const FILES_FIELD = "files";

/** The service worker and the page have this database, so no connection stays open: an update could not replace it. */
async function inStore<Result>(work: (db: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
  const db = await openDB<Schema>("skies-received", 1, {
    upgrade: (created) => void created.createObjectStore("files", { autoIncrement: true }),
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** Stores files beside those that wait. Rejects if the device has no room for them. */
export const keepReceived = (files: readonly File[]): Promise<void> =>
  inStore(async (db) => {
    const transaction = db.transaction("files", "readwrite");
    const receivedAt = Date.now();
    await Promise.all([...files.map((file) => transaction.store.add({ file, receivedAt })), transaction.done]);
  });

/** The files that wait for a memory, oldest first. */
export const receivedFiles = (): Promise<ReceivedFile[]> =>
  inStore(async (db) => {
    const received: ReceivedFile[] = [];
    const transaction = db.transaction("files", "readwrite");
    for await (const { key, value } of transaction.store) {
      if (Date.now() - value.receivedAt > LONGEST_MS) void transaction.store.delete(key);
      else received.push({ id: key, ...value });
    }
    await transaction.done;
    return received;
  });

/** Deletes these files, or all of them. */
export const forgetReceived = (ids?: readonly number[]): Promise<void> =>
  inStore(async (db) => {
    const { store, done } = db.transaction("files", "readwrite");
    await Promise.all([...(ids ? ids.map((id) => store.delete(id)) : [store.clear()]), done]);
  });
