import { createStore, type Readable } from "../../lib/browser/store.ts";
import type { RefusedKind } from "./refused-kind.ts";
import type { UploadProblem } from "./upload-failure.ts";
import type { KeptFile, StoredUpload } from "./upload-store.ts";

/**
 * An upload's state. `checking`: its type and duplicates are being checked; `duplicate`: already in its memory, and the
 * person is asked; `otherTab`: sent by another tab; `needsFile`: has to be chosen again, because its bytes could not be
 * kept.
 */
export type UploadState =
  | "checking"
  | "duplicate"
  | "waiting"
  | "uploading"
  | "otherTab"
  | "paused"
  | "needsFile"
  | "stored"
  | "failed";

/** An upload for the UI; replaced on every change except progress. */
export interface UploadView {
  id: string;
  memoryId: string;
  name: string;
  size: number;
  /** Detected from the content; empty until then. */
  type: string;
  state: UploadState;
  problem?: UploadProblem;
  /** What kind of file it is, if that is the problem. */
  refused?: RefusedKind;
  asCover: boolean;
  /** For a local preview; undefined without the bytes. */
  file?: Blob;
}

/** An upload's internal state. */
export interface Entry {
  readonly record: StoredUpload;
  view: UploadView;
  /** Bytes that have been sent. */
  sent: number;
  /** Whether its bytes survive a reload. */
  safe: boolean;
  /** Aborts the current attempt; replaced for each attempt. */
  abort: AbortController;
  /** Attempts since its last progress. */
  attempts: number;
}

const OFTEN_MS = 100;
const PROGRESS_MS = 250;

/**
 * A queue's uploads as two external stores: the list, and the progress. Progress changes many times a second, so both
 * notify at a limited rate.
 */
export class UploadEntries {
  readonly #entries = new Map<string, Entry>();
  readonly #list = new Announcer(OFTEN_MS);
  readonly #progress = new Announcer(PROGRESS_MS);
  #views: readonly UploadView[] | undefined;

  /** All uploads in order of addition; a new array after each change. */
  readonly files: Readable<readonly UploadView[]> = {
    subscribe: this.#list.subscribe,
    get: () => {
      this.#views ??= [...this.#entries.values()].map(({ view }) => view);
      return this.#views;
    },
  };

  readonly subscribeProgress = this.#progress.subscribe;

  /** Bytes sent of a file. */
  readonly sentOf = (id: string): number => this.#entries.get(id)?.sent ?? 0;

  get = (id: string) => this.#entries.get(id);
  all = (): Entry[] => [...this.#entries.values()];
  ofMemory = (memoryId: string): Entry[] => this.all().filter(({ view }) => view.memoryId === memoryId);

  add({ upload, bytes }: KeptFile, state: UploadState): Entry {
    const { id, memoryId, name, size, type, asCover } = upload;
    const view: UploadView = { id, memoryId, name, size, type, state, asCover, file: bytes };
    const entry: Entry = { record: upload, view, sent: 0, safe: false, abort: new AbortController(), attempts: 0 };
    this.#entries.set(id, entry);
    this.#changed();
    return entry;
  }

  remove(entries: readonly Entry[]): void {
    for (const { view } of entries) this.#entries.delete(view.id);
    this.#changed();
    this.#progress.announce();
  }

  change(entry: Entry, changes: Partial<Pick<UploadView, "state" | "problem" | "asCover" | "type" | "file">>): void {
    entry.view = { ...entry.view, ...changes };
    this.#changed();
    if (changes.state) this.#progress.announce();
  }

  progress(entry: Entry, sent: number): void {
    entry.sent = sent;
    this.#progress.announce();
  }

  #changed(): void {
    this.#views = undefined;
    this.#list.announce();
  }
}

/** Notifies listeners immediately, then at most once per interval. */
class Announcer {
  readonly #times = createStore(0);
  readonly #everyMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again = false;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  readonly subscribe = this.#times.subscribe;

  announce(): void {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#again) this.announce();
    }, this.#everyMs);
    this.#again = false;
    // In a microtask, so that changes of the same turn cause one notification.
    queueMicrotask(() => this.#times.set(this.#times.get() + 1));
  }
}
