import type { Locker } from "@tus/server";
import type { StorageContext } from "./context.ts";
import { PartStore } from "./part-store.ts";
import { uploadLocker } from "./upload-lock.ts";
import { type UploadRecords, uploadRecords } from "./upload-records.ts";

/** What resumable uploads are served and mended with. */
export interface Resumable {
  records: UploadRecords;
  store: PartStore;
  locker: Locker;
  /** Turns an upload into its object if all its bytes are here. Waits for, and hurries, whoever writes it. */
  complete(id: string): Promise<void>;
}

export function openResumable({ db, files, buckets }: Pick<StorageContext, "db" | "files" | "buckets">): Resumable {
  const records = uploadRecords(db);
  const locker = uploadLocker(files.parts);
  const store = new PartStore({ db, files, buckets, records });
  return {
    records,
    store,
    locker,
    async complete(id) {
      const lock = locker.newLock(id);
      await lock.lock(new AbortController().signal, () => {});
      try {
        await store.getUpload(id);
      } finally {
        await lock.unlock();
      }
    },
  };
}
