import { endsOf } from "./file-ends.ts";
import { RetryBackoff } from "./retry-backoff.ts";
import { type Entry, UploadEntries } from "./upload-entries.ts";
import { isRetryable } from "./upload-failure.ts";
import { type IntakeDeps, type UploadBatch, UploadIntake } from "./upload-intake.ts";
import { type RunnerDeps, UploadRunner } from "./upload-runner.ts";
import { REMOVED } from "./upload-transport.ts";

export interface UploadQueueDeps extends RunnerDeps, IntakeDeps {
  backoff?: RetryBackoff;
  /** Synchronises actions between a browser's tabs; absent if unsupported. */
  channel?: BroadcastChannel;
}

/** A person's action on files in one tab, which applies in all tabs. */
interface Wish {
  wish: "remove" | "pause" | "resume";
  ids: readonly string[];
}

const PAUSED = Symbol("paused");
const nothing = (_entry: Entry) => {};

/**
 * One sender's queue of uploads. It outlives components and, through its store, reloads. It sends a few files at once
 * and resumes each where it stopped.
 */
export class UploadQueue {
  readonly #deps: UploadQueueDeps;
  readonly #backoff: RetryBackoff;
  readonly #entries = new UploadEntries();
  readonly #runner: UploadRunner;
  readonly #intake: UploadIntake;

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps;
    this.#backoff = deps.backoff ?? new RetryBackoff();
    this.#runner = new UploadRunner(deps, this.#entries, this.#backoff);
    this.#intake = new UploadIntake(deps, this.#entries, this.#backoff, () => this.#runner.pump());
    deps.channel?.addEventListener("message", ({ data: { wish, ids } }: MessageEvent<Wish>) => {
      const entries = this.#these(ids);
      if (wish === "remove") this.#takeOut(entries);
      else if (wish === "pause") this.#pause(entries);
      else this.#resume(entries);
    });
  }

  readonly files = this.#entries.files;
  /** Notifies of progress, a few times a second at most. */
  readonly subscribeProgress = this.#entries.subscribeProgress;
  readonly sentOf = this.#entries.sentOf;

  /**
   * Adds files for a memory; resolves when each is stored locally or has failed. A file that the queue waits for, or
   * that had failed, resumes.
   */
  async add(batch: UploadBatch): Promise<void> {
    const files: File[] = [];
    for (const file of batch.files) if (!(await this.#resumesWith(batch.memoryId, file))) files.push(file);
    await this.#intake.add({ ...batch, files });
  }

  /** Resumes the uploads of an earlier visit or another tab. */
  async restore(who: string): Promise<void> {
    const uploads = await this.#deps.store.all(who).catch(() => []);
    this.#intake.resume(uploads.filter(({ upload }) => !this.#entries.get(upload.id)));
    this.#runner.pump();
  }

  /** Tries failed files again. */
  retry(ids: readonly string[]): void {
    for (const entry of this.#these(ids)) {
      if (entry.view.state !== "failed" || entry.record.type === "" || !isRetryable(entry.view.problem)) continue;
      entry.attempts = 0;
      this.#entries.change(entry, { state: "waiting", problem: undefined });
    }
    this.wake();
  }

  /** Removes files, and deletes their unfinished uploads from the server. */
  remove(ids: readonly string[]): void {
    const entries = this.#these(ids);
    this.#tell("remove", ids);
    this.#takeOut(entries);
    for (const { record, view } of entries) {
      this.#deps.store.remove(record.id).catch(() => {});
      // An active upload deletes itself; the others would use space on the server for a day.
      const ends = view.state === "uploading" || view.state === "otherTab" || view.state === "stored";
      if (!ends && record.url) this.#deps.drop(record.url).catch(() => {});
    }
  }

  /** Pauses files until they are resumed, also across a reload. */
  pause(ids: readonly string[]): void {
    this.#pause(this.#these(ids), this.#keepPaused);
    this.#tell("pause", ids);
  }

  resume(ids: readonly string[]): void {
    this.#resume(this.#these(ids), this.#keepPaused);
    this.#tell("resume", ids);
  }

  /** Sends duplicates anyway. */
  addAnyway(ids: readonly string[]): void {
    for (const entry of this.#these(ids)) {
      if (entry.view.state !== "duplicate") continue;
      entry.record.wantedTwice = true;
      this.#deps.store.change(entry.record.id, { wantedTwice: true }).catch(() => {});
      this.#entries.change(entry, { state: "waiting" });
    }
    this.#runner.pump();
  }

  /** Resumes an upload with missing bytes; resolves to false if this is a different file. */
  async chooseAgain(id: string, file: File): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry?.view.state !== "needsFile" || entry.record.size !== file.size) return false;
    const { ends, name } = entry.record;
    if (ends ? ends !== (await endsOf(file).catch(() => undefined)) : name !== file.name) return false;
    this.#entries.change(entry, { state: "waiting", file });
    this.#runner.pump();
    return true;
  }

  /** Makes this file, and no other of its memory, the cover when it is stored. */
  chooseCover(memoryId: string, id: string | undefined): void {
    for (const entry of this.#entries.ofMemory(memoryId)) {
      const asCover = entry.view.id === id;
      if (entry.view.asCover === asCover) continue;
      entry.record.asCover = asCover;
      this.#entries.change(entry, { asCover });
      this.#deps.store.change(entry.view.id, { asCover }).catch(() => {});
    }
  }

  /** Forgets stored files, e.g. when they are shown from the server. */
  forgetStored(ids: readonly string[]): void {
    const stored = this.#these(ids).filter(({ view }) => view.state === "stored");
    if (stored.length > 0) this.#entries.remove(stored);
  }

  /** Aborts every upload and empties the queue. The sender's next session restores it. */
  leave(): void {
    const entries = this.#entries.all();
    this.#entries.remove(entries);
    for (const { abort } of entries) abort.abort(PAUSED);
  }

  /** Retries waiting uploads now: the network is back, or the device woke up. */
  wake(): void {
    this.#backoff.wake();
    this.#runner.pump();
  }

  /** Whether closing the page would lose unsent bytes. */
  readonly losesBytes = (): boolean =>
    this.#entries
      .all()
      .some(({ view, safe }) => !safe && /checking|waiting|uploading|paused|duplicate/.test(view.state));

  /** If the queue waits for this file, resumes its upload and resolves to true. */
  async #resumesWith(memoryId: string, file: File): Promise<boolean> {
    const sameSize = this.#entries.ofMemory(memoryId).filter(({ record }) => record.size === file.size);
    const failed = sameSize.find(
      ({ record, view }) =>
        view.state === "failed" && record.name === file.name && record.lastModified === file.lastModified,
    );
    if (failed) this.retry([failed.record.id]);
    if (failed && failed.view.state !== "failed") return true;
    for (const { record, view } of sameSize) {
      if (view.state === "needsFile" && (await this.chooseAgain(record.id, file))) return true;
    }
    return false;
  }

  #takeOut(entries: readonly Entry[]): void {
    this.#entries.remove(entries);
    for (const { abort } of entries) abort.abort(REMOVED);
    this.#runner.pump();
  }

  #pause(entries: readonly Entry[], keep = nothing): void {
    for (const entry of entries) {
      if (!/checking|waiting|uploading|otherTab/.test(entry.view.state)) continue;
      entry.record.paused = true;
      keep(entry);
      this.#entries.change(entry, { state: "paused", problem: undefined });
      entry.abort.abort(PAUSED);
    }
    this.#runner.pump();
  }

  #resume(entries: readonly Entry[], keep = nothing): void {
    for (const entry of entries) {
      if (entry.view.state !== "paused") continue;
      entry.record.paused = false;
      // Before sending, which reads the stored entry.
      keep(entry);
      if (entry.record.url || entry.record.wantedTwice) this.#entries.change(entry, { state: "waiting" });
      else this.#intake.compare(entry);
    }
    this.wake();
  }

  readonly #keepPaused = ({ record: { id, paused } }: Entry): void => {
    this.#deps.store.change(id, { paused }).catch(() => {});
  };

  #tell(wish: Wish["wish"], ids: readonly string[]): void {
    this.#deps.channel?.postMessage({ wish, ids } satisfies Wish);
  }

  #these = (ids: readonly string[]): Entry[] => ids.flatMap((id) => this.#entries.get(id) ?? []);
}
