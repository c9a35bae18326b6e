import type { UnsupportedPhoto } from "../../../shared/unsupported-photo.ts";
import { createStore, type Readable } from "../../lib/browser/store.ts";
import type { UploadProblem } from "./upload-failure.ts";
import type { KeptFile, StoredUpload } from "./upload-store.ts";

/**
 * How it is with a file: `checking` is being looked at; `duplicate` is in its memory already, and its person is asked;
 * `otherTab` is sent by another tab; `needsFile` has to be chosen again, because its bytes could not be kept.
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

/** One file as a screen shows it; another object after every change but those of its progress. */
export interface UploadView {
  id: string;
  memoryId: string;
  name: string;
  size: number;
  /** By content; empty until it is known. */
  type: string;
  state: UploadState;
  problem?: UploadProblem;
  /** Which format it has, where that is why it is refused. */
  unsupported?: UnsupportedPhoto;
  asCover: boolean;
  /** For a preview made in the browser; undefined when its bytes are not here. */
  file?: Blob;
}

/** One file as the queue holds it. */
export interface Entry {
  readonly kept: StoredUpload;
  view: UploadView;
  /** Bytes that have been sent. */
  sent: number;
  /** Its bytes would outlive the page. */
  safe: boolean;
  /** Ends its sending; another one for every time it is begun. */
  abort: AbortController;
  /** Tries since it last came further. */
  attempts: number;
}

const OFTEN_MS = 100;
const PROGRESS_MS = 250;

/**
 * The files of a queue, as two external stores: the list, and how far each file is. Progress comes many times a second
 * from several files, so screens hear of either only as often as an eye can follow.
 */
export class UploadEntries {
  readonly #entries = new Map<string, Entry>();
  readonly #list = new Announcer(OFTEN_MS);
  readonly #progress = new Announcer(PROGRESS_MS);
  #views: readonly UploadView[] | undefined;

  /** Every file in the order they came; the same array until one of them changes. */
  readonly files: Readable<readonly UploadView[]> = {
    subscribe: this.#list.subscribe,
    get: () => {
      this.#views ??= [...this.#entries.values()].map(({ view }) => view);
      return this.#views;
    },
  };

  readonly subscribeProgress = this.#progress.subscribe;

  /** Bytes of a file that have been sent. */
  readonly sentOf = (id: string): number => this.#entries.get(id)?.sent ?? 0;

  get = (id: string) => this.#entries.get(id);
  all = (): Entry[] => [...this.#entries.values()];
  ofMemory = (memoryId: string): Entry[] => this.all().filter(({ view }) => view.memoryId === memoryId);

  add({ upload, bytes }: KeptFile, state: UploadState): Entry {
    const { id, memoryId, name, size, type, asCover } = upload;
    const view: UploadView = { id, memoryId, name, size, type, state, asCover, file: bytes };
    const entry: Entry = { kept: upload, view, sent: 0, safe: false, abort: new AbortController(), attempts: 0 };
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

/** Tells its listeners at once, and then no more often than every so many milliseconds. */
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
    // Later in this turn: what changes together is told together.
    queueMicrotask(() => this.#times.set(this.#times.get() + 1));
  }
}
