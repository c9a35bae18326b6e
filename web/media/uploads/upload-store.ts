import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** The stored data of an upload, without its bytes. */
export interface StoredUpload {
  /** Also part of the object's name, so that the same upload cannot be stored twice. */
  id: string;
  /** The sender: a person's id, or an id for a visitor. */
  who: string;
  memoryId: string;
  name: string;
  /** The type by content; empty until it is detected. */
  type: string;
  size: number;
  lastModified: number;
  /** Milliseconds, with fractions for the order of files that were added together. */
  addedAt: number;
  /** Whether it becomes the memory's cover once stored. */
  asCover: boolean;
  paused: boolean;
  /** Whether the person uploads it despite being a duplicate. */
  wantedTwice: boolean;
  /** The time when the photo was taken, from the export's sidecar: `YYYY-MM-DDTHH:MM:SS` in UTC. */
  taken?: string;
  /** The people in the photo, from the export's sidecar. */
  people?: string[];
  /** The id of the prompt that it answers. */
  prompt?: string;
  /** A hash of its ends, which recognises a file without stored bytes when it is chosen again. */
  ends?: string;
  /** The upload URL, once the upload has begun. */
  url?: string;
}

/** A stored upload, with its bytes if there was space for them. */
export interface KeptFile {
  upload: StoredUpload;
  bytes?: Blob;
}

/** Stores uploads across reloads. Every method may reject, e.g. when the disk is full. */
export interface UploadStore {
  /** Stores files; resolves to whether there was room for their bytes too. */
  put(files: readonly KeptFile[]): Promise<boolean>;
  change(id: string, changes: Partial<StoredUpload>): Promise<void>;
  /** The stored upload; undefined once any tab has finished or removed it. */
  get(id: string): Promise<StoredUpload | undefined>;
  remove(id: string): Promise<void>;
  /** The uploads of a sender, oldest first. */
  all(who: string): Promise<KeptFile[]>;
  /** Deletes all uploads of a sender. */
  clear(who: string): Promise<void>;
}

interface Schema extends DBSchema {
  /** Separate from the bytes, because the records change often. */
  records: { key: string; value: StoredUpload; indexes: { who: string } };
  bytes: { key: string; value: Blob };
}

const STORES = ["records", "bytes"] as const;
/** The key of a file that is stored to see whether one can be. */
const PROBE = "probe";

/** A store in the browser's database, opened at first use. */
export function browserUploadStore(): UploadStore {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const open = () => {
    opened ??= openDB<Schema>("skies-uploads", 2, {
      upgrade(db) {
        db.createObjectStore("records", { keyPath: "id" }).createIndex("who", "who");
        db.createObjectStore("bytes");
      },
      terminated() {
        opened = undefined;
      },
    });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };

  let canStoreFiles: Promise<boolean> | undefined;
  /**
   * Whether the database stores files. It does not in a private window of Safari, and a transaction there that also writes a
   * record would never end, nor would those after it. One that only writes a file ends.
   */
  const storesFiles = () => {
    canStoreFiles ??= open().then(async (db) => {
      await db.put("bytes", new Blob([PROBE]), PROBE);
      await db.delete("bytes", PROBE);
      return true;
    });
    return canStoreFiles.catch(() => {
      canStoreFiles = undefined;
      return false;
    });
  };

  const write = async (files: readonly KeptFile[]) => {
    const transaction = (await open()).transaction(STORES, "readwrite");
    const [records, bytes] = [transaction.objectStore("records"), transaction.objectStore("bytes")];
    const writes = files.flatMap((file) => [
      records.put(file.upload),
      ...(file.bytes ? [bytes.put(file.bytes, file.upload.id)] : []),
    ]);
    await Promise.all([...writes, transaction.done]);
  };

  const removeAll = async (ids: readonly string[]) => {
    const transaction = (await open()).transaction(STORES, "readwrite");
    for (const id of ids) for (const store of STORES) void transaction.objectStore(store).delete(id);
    await transaction.done;
  };

  return {
    async put(files) {
      const isWhole =
        (await storesFiles()) &&
        (await write(files).then(
          () => true,
          () => false,
        ));
      // Without room for the bytes, the records are stored; the files have to be chosen again.
      if (!isWhole) await write(files.map(({ upload }) => ({ upload })));
      return isWhole;
    },
    async change(id, changes) {
      const transaction = (await open()).transaction("records", "readwrite");
      const record = await transaction.store.get(id);
      if (record) await transaction.store.put({ ...record, ...changes });
      await transaction.done;
    },
    get: async (id) => (await open()).get("records", id),
    remove: (id) => removeAll([id]),
    async all(who) {
      const transaction = (await open()).transaction(STORES);
      const records = await transaction.objectStore("records").index("who").getAll(who);
      const files = await Promise.all(
        records.map(async (upload) => ({ upload, bytes: await transaction.objectStore("bytes").get(upload.id) })),
      );
      return files.sort((a, b) => a.upload.addedAt - b.upload.addedAt);
    },
    async clear(who) {
      await removeAll(await (await open()).getAllKeysFromIndex("records", "who", who));
    },
  };
}

/** Deletes the uploads that a person has not finished on this device. */
export const forgetUploads = (who: string): Promise<void> =>
  browserUploadStore()
    .clear(who)
    .catch(() => {});
