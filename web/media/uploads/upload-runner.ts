import type { RetryBackoff } from "./retry-backoff.ts";
import type { Entry, UploadEntries } from "./upload-entries.ts";
import { UploadFailure, type UploadProblem } from "./upload-failure.ts";
import { nextToSend } from "./upload-schedule.ts";
import type { StoredUpload, UploadStore } from "./upload-store.ts";
import type { Transport } from "./upload-transport.ts";

export interface RunnerDeps extends Transport {
  store: UploadStore;
  /**
   * Runs after the server has stored the file and before the local copy is deleted; a rejection is retried like a lost
   * network. After a reload it may run again.
   */
  afterStored: (upload: StoredUpload, bytes: Blob) => Promise<void>;
  /** The number of parallel uploads; none without a network. */
  atOnce: () => number;
  /** Absent in insecure contexts (plain http): then each tab sends its own files. */
  locks?: LockManager;
}

/** Sends a queue's waiting uploads, each until it is stored or has failed. */
export class UploadRunner {
  readonly #deps: RunnerDeps;
  readonly #entries: UploadEntries;
  readonly #backoff: RetryBackoff;

  constructor(deps: RunnerDeps, entries: UploadEntries, backoff: RetryBackoff) {
    this.#deps = deps;
    this.#entries = entries;
    this.#backoff = backoff;
  }

  /** Starts as many of the waiting files as possible. */
  pump(): void {
    for (const { id } of nextToSend(this.#entries.files.get(), this.#deps.atOnce())) {
      const entry = this.#entries.get(id);
      if (!entry) continue;
      entry.abort = new AbortController();
      this.#entries.change(entry, { state: "uploading" });
      void this.#begin(entry);
    }
  }

  /** The tab with the file's lock sends it. The others wait for the lock and then read the result. */
  async #begin(entry: Entry): Promise<void> {
    const { locks, store } = this.#deps;
    const { signal } = entry.abort;
    if (!locks) return this.#run(entry);
    const name = `skies-upload-${entry.record.id}`;
    const mine = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await this.#run(entry);
      return lock !== null;
    });
    if (mine || signal.aborted) return;
    this.#entries.change(entry, { state: "otherTab" });
    await locks.request(name, { signal }, async () => {}).catch(() => {});
    if (signal.aborted) return;
    const unfinished = await store.get(entry.record.id).catch(() => entry.record);
    this.#entries.change(entry, { state: unfinished ? "waiting" : "stored" });
    this.pump();
  }

  async #run(entry: Entry): Promise<void> {
    const { signal } = entry.abort;
    const { file } = entry.view;
    try {
      await this.#catchUp(entry);
      if (signal.aborted) return;
      if (entry.record.paused) return this.#entries.change(entry, { state: "paused" });
      if (file) await this.#send(entry, file, signal);
      this.#entries.change(entry, { state: file ? "stored" : "needsFile", problem: undefined });
    } catch (error) {
      if (signal.aborted) return;
      await this.#afterFailure(entry, error instanceof UploadFailure ? error.problem : "failed", signal);
    }
    this.pump();
  }

  /** Reads what other tabs have stored about a file: its progress and the person's actions. */
  async #catchUp({ record }: Entry): Promise<void> {
    const latest = await this.#deps.store.get(record.id).catch(() => undefined);
    if (!latest) return;
    record.url = latest.url ?? record.url;
    record.asCover = latest.asCover;
    record.paused = latest.paused;
  }

  async #send(entry: Entry, bytes: Blob, signal: AbortSignal): Promise<void> {
    const { store, send, afterStored } = this.#deps;
    const { record } = entry;
    await send(record, bytes, {
      signal,
      onProgress: (sent) => {
        if (sent > entry.sent) entry.attempts = 0;
        if (sent > entry.sent && entry.view.problem) this.#entries.change(entry, { problem: undefined });
        this.#entries.progress(entry, sent);
      },
      onAddress: (url) => {
        if (record.url === url) return;
        record.url = url;
        store.change(record.id, { url }).catch(() => {});
      },
    });
    await afterStored(record, bytes).catch((cause: unknown) => {
      throw new UploadFailure("network", { cause });
    });
    await store.remove(record.id).catch(() => {});
  }

  async #afterFailure(entry: Entry, problem: UploadProblem, signal: AbortSignal): Promise<void> {
    if (problem !== "network") return this.#refuse(entry, problem);
    // A file that was changed or moved on the device is unreadable, which looks like a network error.
    if (!(await isReadable(entry.view.file))) {
      return this.#entries.change(entry, { state: "needsFile", problem: undefined, file: undefined });
    }
    entry.attempts++;
    this.#entries.change(entry, { problem });
    // It keeps its slot while it waits, so that only a few requests probe a dead network.
    await this.#backoff.after(entry.attempts, signal);
    if (!signal.aborted) this.#entries.change(entry, { state: "waiting" });
  }

  async #refuse(entry: Entry, problem: UploadProblem): Promise<void> {
    this.#fail(entry, problem);
    // A permanent refusal: the stored file would be refused again after every reload.
    if (problem === "type" || problem === "size") await this.#deps.store.remove(entry.record.id).catch(() => {});
    if (problem !== "full") return;
    // Waiting files of at least this size do not fit either, so they fail without a request.
    for (const other of this.#entries.ofMemory(entry.record.memoryId)) {
      if (other.view.state === "waiting" && other.record.size >= entry.record.size) this.#fail(other, problem);
    }
  }

  #fail(entry: Entry, problem: UploadProblem): void {
    this.#entries.progress(entry, 0);
    this.#entries.change(entry, { state: "failed", problem });
  }
}

const isReadable = async (bytes: Blob | undefined) =>
  bytes !== undefined &&
  (await bytes
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    ));
