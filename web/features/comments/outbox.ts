import type { ListStorage } from "../../lib/request/delayed-deletions.ts";
import type { Subject } from "./comment.ts";

/** What was sent and is not known to have arrived. Its id is made here, so that sending it again makes no second one. */
export interface Unsent extends Subject {
  id: string;
  userId: string;
  parentId: string | null;
  body: string;
  mentions: string[];
  /** When it was written (ISO 8601). */
  at: string;
  state: "sending" | "failed";
}

export type Send = (unsent: Unsent) => Promise<void>;

const KEY = "skies-unsent-comments";

/** Comments on their way, as an external store that outlives the page: what had not arrived by a reload has failed. */
export class Outbox {
  readonly #storage: ListStorage;
  readonly #listeners = new Set<() => void>();
  #unsent: readonly Unsent[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: ListStorage) {
    this.#storage = storage;
    this.#unsent = read(storage);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): readonly Unsent[] => this.#unsent;

  /**
   * Sends it, for the first time or again, once what was sent before has arrived or failed: what is said second is never
   * there first. Resolves when it has arrived or failed itself.
   */
  async send(unsent: Omit<Unsent, "state">, send: Send): Promise<void> {
    const { id } = unsent;
    if (this.#unsent.some((one) => one.id === id && one.state === "sending")) return;
    this.#put({ ...unsent, state: "sending" });
    this.#last = this.#last.then(() => this.#deliver(unsent, send));
    await this.#last;
  }

  async #deliver(unsent: Omit<Unsent, "state">, send: Send): Promise<void> {
    const isWanted = () => this.#unsent.some(({ id }) => id === unsent.id);
    if (!isWanted()) return;
    try {
      await send({ ...unsent, state: "sending" });
      this.forget(unsent.id);
    } catch {
      if (isWanted()) this.#put({ ...unsent, state: "failed" });
    }
  }

  /** It has arrived, or is not wanted any more. */
  forget(id: string): void {
    if (this.#unsent.some((one) => one.id === id)) this.#set(this.#unsent.filter((one) => one.id !== id));
  }

  /** Forgets everything, as when a person signs out. */
  clear(): void {
    this.#set([]);
  }

  #put(unsent: Unsent) {
    const isKnown = this.#unsent.some(({ id }) => id === unsent.id);
    this.#set(isKnown ? this.#unsent.map((one) => (one.id === unsent.id ? unsent : one)) : [...this.#unsent, unsent]);
  }

  #set(unsent: readonly Unsent[]) {
    this.#unsent = unsent;
    try {
      if (unsent.length > 0) this.#storage.setItem(KEY, JSON.stringify(unsent));
      else this.#storage.removeItem(KEY);
    } catch {
      // Storage is full or forbidden: then only a reload loses what has not arrived.
    }
    for (const listener of this.#listeners) listener();
  }
}

function read(storage: ListStorage): Unsent[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.map((one: Unsent) => ({ ...one, state: "failed" })) : [];
  } catch {
    return [];
  }
}
