import { HEAD_BYTES, photoType } from "./photo-type.ts";
import { UploadFailure, type UploadProblem } from "./upload-failure.ts";
import type { KeptUpload, UploadStore } from "./upload-store.ts";
import { REMOVED, type Send } from "./upload-transport.ts";

/** The largest photo in bytes. */
export const MAX_PHOTO_BYTES = 50 * 1024 * 1024;

const AT_ONCE = 3;
const LONGEST_PAUSE_MS = 30_000;

/** One file as a screen shows it. */
export interface UploadView {
  id: string;
  memoryId: string;
  name: string;
  size: number;
  sent: number;
  /** `elsewhere`: another tab is sending it. */
  state: "waiting" | "uploading" | "elsewhere" | "stored" | "failed";
  problem?: UploadProblem;
  asCover: boolean;
  /** For a preview made in the browser. */
  file: Blob;
}

export interface UploadQueueDeps {
  store: UploadStore;
  send: Send;
  /** Runs once the server has the file and before the queue forgets it; rejecting counts as a lost network. */
  afterStored: (upload: KeptUpload) => Promise<void>;
  /** Absent where the browser has none (plain http): then every tab sends what it was given. */
  locks?: LockManager;
  newId?: () => string;
  pause?: (milliseconds: number) => Promise<void>;
}

interface Entry {
  kept: KeptUpload;
  view: UploadView;
  /** Where another tab has the file too, the right to send it is held from beginning to end. */
  abort: AbortController;
  attempts: number;
}

/**
 * The app's one queue of files on their way to the server, as an external store. It outlives screens and, through its
 * store of files, reloads; three files are sent at once, each from where it stopped, until the server has them.
 */
export class UploadQueue {
  readonly #deps: UploadQueueDeps;
  readonly #listeners = new Set<() => void>();
  readonly #entries = new Map<string, Entry>();
  #views: readonly UploadView[] = [];
  #online = true;
  #announcing = false;

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Every file of this session, in the order they came; a new array after every change. */
  readonly snapshot = (): readonly UploadView[] => this.#views;

  /**
   * Takes files for a memory. Answers how many were already in the queue, and so are not taken twice; files that are no
   * photos or too large appear as failed, beside the others.
   */
  async add(
    userId: string,
    memoryId: string,
    files: readonly File[],
    firstAsCover = false,
  ): Promise<{ known: number }> {
    let known = 0;
    let coverIsFree = firstAsCover;
    for (const file of files) {
      if (this.#isKnown(memoryId, file)) {
        known++;
        continue;
      }
      const kept: KeptUpload = {
        id: (this.#deps.newId ?? (() => crypto.randomUUID()))(),
        userId,
        memoryId,
        name: file.name,
        type: "",
        lastModified: file.lastModified,
        addedAt: Date.now(),
        file,
        asCover: false,
      };
      const entry = this.#enter(kept);
      const problem = await this.#problemOf(kept);
      if (problem) {
        this.#show(entry, { state: "failed", problem });
        continue;
      }
      kept.asCover = coverIsFree;
      coverIsFree = false;
      this.#show(entry, { asCover: kept.asCover });
      // A full disk costs only the resuming after a reload: the upload itself goes on from memory.
      await this.#deps.store.put(kept).catch(() => {});
      this.#pump();
    }
    return { known };
  }

  /** Goes on with what an earlier visit, or another tab, left unfinished. */
  async resume(userId: string): Promise<void> {
    const left = await this.#deps.store.all(userId).catch(() => []);
    for (const kept of left) if (!this.#entries.has(kept.id)) this.#enter(kept);
    this.#pump();
  }

  retry(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.view.state !== "failed" || entry.kept.type === "") return;
    entry.attempts = 0;
    this.#show(entry, { state: "waiting", problem: undefined });
    this.#pump();
  }

  /** Takes a file out; what the server already has of an unfinished one is dropped there too. */
  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    entry.abort.abort(REMOVED);
    this.#deps.store.remove(id).catch(() => {});
    this.#announce();
    this.#pump();
  }

  /** Makes this file, and no other of its memory, the cover once it is stored. */
  chooseCover(memoryId: string, id: string | undefined): void {
    for (const entry of this.#entries.values()) {
      const asCover = entry.view.id === id;
      if (entry.view.memoryId !== memoryId || entry.view.asCover === asCover) continue;
      entry.kept.asCover = asCover;
      this.#show(entry, { asCover });
      this.#deps.store.change(entry.view.id, { asCover }).catch(() => {});
    }
  }

  /** Forgets the stored files of a memory once its photos are shown from the server. */
  forgetStored(memoryId: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.view.memoryId === memoryId && entry.view.state === "stored") this.#entries.delete(entry.view.id);
    }
    this.#announce();
  }

  /** Ends every upload and keeps nothing, as when the person signs out. */
  async cancelAll(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) entry.abort.abort(new UploadFailure("failed"));
    this.#announce();
    await this.#deps.store.clear().catch(() => {});
  }

  setOnline(online: boolean): void {
    this.#online = online;
    if (online) this.#pump();
  }

  #isKnown(memoryId: string, file: File) {
    return [...this.#entries.values()].some(
      ({ kept, view }) =>
        kept.memoryId === memoryId &&
        kept.name === file.name &&
        kept.file.size === file.size &&
        kept.lastModified === file.lastModified &&
        view.state !== "failed",
    );
  }

  async #problemOf(kept: KeptUpload): Promise<UploadProblem | undefined> {
    // A file can vanish between the drop and the first read.
    const head = await kept.file
      .slice(0, HEAD_BYTES)
      .arrayBuffer()
      .catch(() => undefined);
    if (!head) return "failed";
    const type = photoType(new Uint8Array(head));
    if (!type) return "type";
    if (kept.file.size > MAX_PHOTO_BYTES) return "size";
    kept.type = type;
    return undefined;
  }

  #enter(kept: KeptUpload): Entry {
    const { id, memoryId, name, asCover, file } = kept;
    const view: UploadView = { id, memoryId, name, size: file.size, sent: 0, state: "waiting", asCover, file };
    const entry = { kept, view, abort: new AbortController(), attempts: 0 };
    this.#entries.set(id, entry);
    this.#announce();
    return entry;
  }

  #pump(): void {
    if (!this.#online) return;
    const entries = [...this.#entries.values()];
    const free = AT_ONCE - entries.filter(({ view }) => view.state === "uploading").length;
    const next = entries.filter(({ kept, view }) => view.state === "waiting" && kept.type !== "").slice(0, free);
    for (const entry of next) {
      this.#show(entry, { state: "uploading" });
      void this.#begin(entry);
    }
  }

  /** One tab sends a file: whoever holds its lock. The others wait for the lock and then see that it is done. */
  async #begin(entry: Entry): Promise<void> {
    const { locks, store } = this.#deps;
    if (!locks) return this.#run(entry);
    const name = `skies-upload-${entry.kept.id}`;
    const mine = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await this.#run(entry);
      return lock !== null;
    });
    if (mine || entry.abort.signal.aborted) return;
    this.#show(entry, { state: "elsewhere" });
    this.#pump();
    await locks.request(name, { signal: entry.abort.signal }, async () => {}).catch(() => {});
    if (entry.abort.signal.aborted) return;
    const unfinished = await store.has(entry.kept.id).catch(() => true);
    this.#show(entry, { state: unfinished ? "waiting" : "stored" });
    this.#pump();
  }

  async #run(entry: Entry): Promise<void> {
    const { store, send, afterStored } = this.#deps;
    const { kept, abort } = entry;
    try {
      await send(kept, {
        signal: abort.signal,
        onProgress: (sent) => {
          if (sent > entry.view.sent) entry.attempts = 0;
          this.#show(entry, { sent });
        },
        onAddress: (url) => {
          kept.url = url;
          store.change(kept.id, { url }).catch(() => {});
        },
      });
      await afterStored(kept).catch((cause: unknown) => {
        throw new UploadFailure("network", { cause });
      });
      await store.remove(kept.id).catch(() => {});
      this.#show(entry, { state: "stored", sent: kept.file.size });
    } catch (error) {
      if (abort.signal.aborted) return;
      await this.#afterFailure(entry, error);
    }
    this.#pump();
  }

  async #afterFailure(entry: Entry, error: unknown): Promise<void> {
    const problem = error instanceof UploadFailure ? error.problem : "failed";
    if (problem !== "network") {
      this.#show(entry, { state: "failed", problem, sent: 0 });
      // Refused for what it is: keeping it would only have it refused again after every reload.
      if (problem !== "failed") await this.#deps.store.remove(entry.kept.id).catch(() => {});
      return;
    }
    entry.attempts++;
    this.#show(entry, { problem });
    const pause = this.#deps.pause ?? ((milliseconds) => new Promise((done) => setTimeout(done, milliseconds)));
    // Each file keeps its place while it pauses, so that a dead network is asked by three at most.
    if (this.#online) await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** entry.attempts));
    this.#show(entry, { state: "waiting", problem: undefined });
  }

  #show(entry: Entry, changes: Partial<UploadView>): void {
    entry.view = { ...entry.view, ...changes };
    this.#announce();
  }

  /** Progress comes many times a second from several files: screens hear of it once a turn. */
  #announce(): void {
    if (this.#announcing) return;
    this.#announcing = true;
    queueMicrotask(() => {
      this.#announcing = false;
      this.#views = [...this.#entries.values()].map(({ view }) => view);
      for (const listener of this.#listeners) listener();
    });
  }
}
