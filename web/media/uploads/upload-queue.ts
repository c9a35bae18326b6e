import { endsOf } from "./file-ends.ts";
import { RetryBackoff } from "./retry-backoff.ts";
import { type Entry, UploadEntries } from "./upload-entries.ts";
import { isRetryable } from "./upload-failure.ts";
import { type IntakeDeps, type UploadBatch, UploadIntake } from "./upload-intake.ts";
import { type RunnerDeps, UploadRunner } from "./upload-runner.ts";
import { REMOVED } from "./upload-transport.ts";

export interface UploadQueueDeps extends RunnerDeps, IntakeDeps {
  backoff?: RetryBackoff;
  /** By which the tabs of one browser tell each other what their person wants; absent where there is none. */
  channel?: BroadcastChannel;
}

/** What is wished of files in one tab, and so holds in all of them. */
interface Wish {
  wish: "remove" | "pause" | "resume";
  ids: readonly string[];
}

const PAUSED = Symbol("paused");
const nothing = (_entry: Entry) => {};

/**
 * One sender's queue of files on their way to the server. It outlives screens and, through its store of files, reloads;
 * a few files are sent at once, each from where it stopped, until the server has them.
 */
export class UploadQueue {
  readonly #deps: UploadQueueDeps;
  readonly #backoff: RetryBackoff;
  readonly #entries = new UploadEntries();
  readonly #runner: UploadRunner;
  readonly #intake: UploadIntake;
  readonly #senders = new Set<string>();

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
  /** Calls back when files have come further: a few times a second at most. */
  readonly subscribeProgress = this.#entries.subscribeProgress;
  readonly sentOf = this.#entries.sentOf;

  /**
   * Takes files for a memory; resolves once each is kept or has failed. One that was waited for, or had failed, goes on
   * from there.
   */
  async add(batch: UploadBatch): Promise<void> {
    this.#senders.add(batch.who);
    const files: File[] = [];
    for (const file of batch.files) if (!(await this.#resumesWith(batch.memoryId, file))) files.push(file);
    await this.#intake.add({ ...batch, files });
  }

  /** Goes on with what an earlier visit, or another tab, left unfinished. */
  async restore(who: string): Promise<void> {
    this.#senders.add(who);
    const left = await this.#deps.store.all(who).catch(() => []);
    this.#intake.resume(left.filter(({ upload }) => !this.#entries.get(upload.id)));
    this.#runner.pump();
  }

  /** Tries failed files again. */
  retry(ids: readonly string[]): void {
    for (const entry of this.#these(ids)) {
      if (entry.view.state !== "failed" || entry.kept.type === "" || !isRetryable(entry.view.problem)) continue;
      entry.attempts = 0;
      this.#entries.change(entry, { state: "waiting", problem: undefined });
    }
    this.wake();
  }

  /** Takes files out; what the server already has of an unfinished one is dropped there too. */
  remove(ids: readonly string[]): void {
    const entries = this.#these(ids);
    this.#tell("remove", ids);
    this.#takeOut(entries);
    for (const { kept, view } of entries) {
      this.#deps.store.remove(kept.id).catch(() => {});
      // What is being sent drops itself; the rest would hold its room at the server for a day.
      const ends = view.state === "uploading" || view.state === "otherTab" || view.state === "stored";
      if (!ends && kept.url) this.#deps.drop(kept.url).catch(() => {});
    }
  }

  /** Lets files rest until they are told to go on, also after a reload. */
  pause(ids: readonly string[]): void {
    this.#pause(this.#these(ids), this.#keepPaused);
    this.#tell("pause", ids);
  }

  resume(ids: readonly string[]): void {
    this.#resume(this.#these(ids), this.#keepPaused);
    this.#tell("resume", ids);
  }

  /** Sends files although their memory has them already. */
  addAnyway(ids: readonly string[]): void {
    for (const entry of this.#these(ids)) {
      if (entry.view.state !== "duplicate") continue;
      entry.kept.wantedTwice = true;
      this.#deps.store.change(entry.kept.id, { wantedTwice: true }).catch(() => {});
      this.#entries.change(entry, { state: "waiting" });
    }
    this.#runner.pump();
  }

  /** Goes on with a file whose bytes were missing; resolves to false when this one is another. */
  async chooseAgain(id: string, file: File): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry?.view.state !== "needsFile" || entry.kept.size !== file.size) return false;
    const { ends, name } = entry.kept;
    if (ends ? ends !== (await endsOf(file).catch(() => undefined)) : name !== file.name) return false;
    this.#entries.change(entry, { state: "waiting", file });
    this.#runner.pump();
    return true;
  }

  /** Makes this file, and no other of its memory, the cover once it is stored. */
  chooseCover(memoryId: string, id: string | undefined): void {
    for (const entry of this.#entries.ofMemory(memoryId)) {
      const asCover = entry.view.id === id;
      if (entry.view.asCover === asCover) continue;
      entry.kept.asCover = asCover;
      this.#entries.change(entry, { asCover });
      this.#deps.store.change(entry.view.id, { asCover }).catch(() => {});
    }
  }

  /** Forgets these files if they are stored, as when they are shown from the server. */
  forgetStored(ids: readonly string[]): void {
    const stored = this.#these(ids).filter(({ view }) => view.state === "stored");
    if (stored.length > 0) this.#entries.remove(stored);
  }

  /** Ends every upload and keeps nothing of theirs, as when a person signs out. */
  async cancelAll(): Promise<void> {
    const entries = this.#entries.all();
    this.#entries.remove(entries);
    for (const { abort } of entries) abort.abort(PAUSED);
    for (const who of this.#senders) await this.#deps.store.clear(who).catch(() => {});
  }

  /** Tries at once what waits for better times: the network is back, or the device is awake. */
  wake(): void {
    this.#backoff.wake();
    this.#runner.pump();
  }

  /** Whether bytes that are still to be sent would be lost with the page. */
  readonly losesBytes = (): boolean =>
    this.#entries
      .all()
      .some(({ view, safe }) => !safe && /checking|waiting|uploading|paused|duplicate/.test(view.state));

  /** Whether a file is one that the queue has and waits for; then it goes on with it. */
  async #resumesWith(memoryId: string, file: File): Promise<boolean> {
    const sameSize = this.#entries.ofMemory(memoryId).filter(({ kept }) => kept.size === file.size);
    const failed = sameSize.find(
      ({ kept, view }) => view.state === "failed" && kept.name === file.name && kept.lastModified === file.lastModified,
    );
    if (failed) this.retry([failed.kept.id]);
    if (failed && failed.view.state !== "failed") return true;
    for (const { kept, view } of sameSize) {
      if (view.state === "needsFile" && (await this.chooseAgain(kept.id, file))) return true;
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
      entry.kept.paused = true;
      keep(entry);
      this.#entries.change(entry, { state: "paused", problem: undefined });
      entry.abort.abort(PAUSED);
    }
    this.#runner.pump();
  }

  #resume(entries: readonly Entry[], keep = nothing): void {
    for (const entry of entries) {
      if (entry.view.state !== "paused") continue;
      entry.kept.paused = false;
      // Before it is sent, which reads what is kept.
      keep(entry);
      if (entry.kept.url || entry.kept.wantedTwice) this.#entries.change(entry, { state: "waiting" });
      else this.#intake.compare(entry);
    }
    this.wake();
  }

  readonly #keepPaused = ({ kept: { id, paused } }: Entry): void => {
    this.#deps.store.change(id, { paused }).catch(() => {});
  };

  #tell(wish: Wish["wish"], ids: readonly string[]): void {
    this.#deps.channel?.postMessage({ wish, ids } satisfies Wish);
  }

  #these = (ids: readonly string[]): Entry[] => ids.flatMap((id) => this.#entries.get(id) ?? []);
}
