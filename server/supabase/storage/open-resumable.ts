import { createHash } from "node:crypto";
import { unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Lock, Locker, RequestRelease } from "@tus/server";
import { lockPath } from "../../database/folder-lock.ts";
import type { StorageContext } from "./context.ts";
import { PartStore } from "./part-store.ts";
import { uploadLeases } from "./upload-leases.ts";
import { type UploadRecords, uploadRecords } from "./upload-records.ts";

/** The services for resumable uploads. */
export interface Resumable {
  records: UploadRecords;
  store: PartStore;
  locker: Locker;
  /** Turns an upload into its object if all bytes have arrived. Asks a current writer to release the lock and waits. */
  complete(id: string): Promise<void>;
}

export function openResumable({ db, files, buckets }: Pick<StorageContext, "db" | "files" | "buckets">): Resumable {
  const records = uploadRecords(db);
  const locker = files.isShared ? uploadLeases(db) : uploadLocker(files.parts);
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

/** The time limit for waiting for another request that writes the same upload, in milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Returns a locker that lets one request at a time, of all processes on this machine, write an upload in `folder`. The
 * lock is a bound socket name, which the kernel frees when its process ends for any reason. A connection to the socket
 * asks the holder to release the lock, so that a client that lost its connection need not wait for the dead one.
 */
const uploadLocker = (folder: string): Locker => ({
  newLock: (id) => new UploadLock(lockPath(`upload-${hash(`${folder}\n${id}`)}`)),
});

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

class UploadLock implements Lock {
  readonly #path: string;
  #held: { server: Server; waiters: Set<Socket> } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async lock(signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(LOCK_TIMEOUT_MS)]);
    while (!(await this.#take(requestRelease))) {
      await requestUnlock(this.#path, until);
      if (until.aborted) throw { status_code: 423, body: "Another request is writing this upload" };
    }
  }

  async unlock(): Promise<void> {
    if (!this.#held) return;
    const { server, waiters } = this.#held;
    this.#held = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      // The end of a waiting request's connection signals that the name is free.
      for (const socket of waiters) socket.destroy();
    });
  }

  #take(requestRelease: RequestRelease): Promise<boolean> {
    const waiters = new Set<Socket>();
    const server = createServer((socket) => {
      waiters.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => waiters.delete(socket));
      void requestRelease();
    });
    return new Promise((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" ? resolve(false) : reject(error),
      );
      server.listen({ path: this.#path }, () => {
        this.#held = { server, waiters };
        resolve(true);
      });
    });
  }
}

/** Asks the holder to release the lock. Resolves when the lock is released, or when `until` aborts. */
function requestUnlock(path: string, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path, signal: until });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Outside Linux the name is a file, which outlives a killed process. Without a listener, it can be deleted.
      if (error.code === "ECONNREFUSED" && !path.startsWith("\0")) void unlink(path).catch(() => {});
    });
    socket.on("close", () => resolve());
  });
}
