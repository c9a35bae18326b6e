import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A file on its way, as it is kept until the server has it. */
export interface KeptUpload {
  /** Names the object at the server too, so that the same file can not be stored twice. */
  id: string;
  userId: string;
  memoryId: string;
  name: string;
  type: string;
  lastModified: number;
  addedAt: number;
  file: Blob;
  /** To be made the memory's cover once it is stored. */
  asCover: boolean;
  /** Where the resumable upload goes on, once it has begun. */
  url?: string;
}

/** Where files wait across reloads. Every method may reject, as when the disk is full. */
export interface UploadStore {
  put(upload: KeptUpload): Promise<void>;
  change(id: string, changes: Partial<Pick<KeptUpload, "url" | "asCover">>): Promise<void>;
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** A person's files, oldest first. */
  all(userId: string): Promise<KeptUpload[]>;
  clear(): Promise<void>;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: KeptUpload };
}

/** The browser's own store, opened when it is first needed. */
export function browserUploadStore(name = "skies-uploads"): UploadStore {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const open = () => {
    opened ??= openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore("uploads", { keyPath: "id" });
      },
      terminated() {
        opened = undefined;
      },
    });
    return opened;
  };
  return {
    async put(upload) {
      await (await open()).put("uploads", upload);
    },
    async change(id, changes) {
      const transaction = (await open()).transaction("uploads", "readwrite");
      const kept = await transaction.store.get(id);
      if (kept) await transaction.store.put({ ...kept, ...changes });
      await transaction.done;
    },
    async has(id) {
      return (await (await open()).getKey("uploads", id)) !== undefined;
    },
    async remove(id) {
      await (await open()).delete("uploads", id);
    },
    async all(userId) {
      const kept = await (await open()).getAll("uploads");
      return kept.filter((upload) => upload.userId === userId).sort((a, b) => a.addedAt - b.addedAt);
    },
    async clear() {
      await (await open()).clear("uploads");
    },
  };
}
