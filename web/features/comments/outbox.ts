import { type KeyValueStorage, keepJson, readJson } from "../../lib/browser/storage.ts";
import { createStore, type Readable } from "../../lib/browser/store.ts";
import type { Subject } from "./comment.ts";

/** A comment that the server has not confirmed. The client generates its id, so that a retry creates no duplicate. */
export interface Unsent extends Subject {
  id: string;
  userId: string;
  parentId: string | null;
  body: string;
  mentions: string[];
  /** When it was written (ISO 8601). */
  at: string;
  /** `waiting`: the server could not be reached, and the comment is sent again by itself. */
  state: "sending" | "waiting" | "failed";
}

/** The server could not be reached, or was not able to answer. */
export class Unreachable extends Error {}

export type Send = (unsent: Unsent) => Promise<void>;

const KEY = "skies-unsent-comments";

/** Comments being sent. They are stored across reloads; those not confirmed before a reload wait to be sent again. */
export class Outbox {
  readonly #storage: KeyValueStorage;
  readonly #store = createStore<readonly Unsent[]>([]);
  readonly #underway = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    this.#store.set(read(storage));
  }

  readonly unsent: Readable<readonly Unsent[]> = this.#store;

  /**
   * Sends or resends a comment after all previous ones were stored or failed, so that their order is kept. Resolves
   * when this comment was stored or has failed.
   */
  async send(unsent: Omit<Unsent, "state">, send: Send): Promise<void> {
    const { id } = unsent;
    if (this.#underway.has(id)) return;
    this.#put({ ...unsent, state: "sending" });
    await this.#inTurn(unsent, send);
  }

  /** Sends the waiting comments of a person in a memory again. Resolves when each was stored, failed or still waits. */
  async sendWaiting({ userId, memoryId }: Pick<Unsent, "userId" | "memoryId">, send: Send): Promise<void> {
    const waiting = this.unsent
      .get()
      .filter((one) => one.state === "waiting" && one.userId === userId && one.memoryId === memoryId);
    await Promise.all(waiting.map((one) => (this.#underway.has(one.id) ? undefined : this.#inTurn(one, send))));
  }

  async #inTurn(unsent: Omit<Unsent, "state">, send: Send): Promise<void> {
    this.#underway.add(unsent.id);
    this.#last = this.#last.then(() => this.#deliver(unsent, send)).finally(() => this.#underway.delete(unsent.id));
    await this.#last;
  }

  async #deliver(unsent: Omit<Unsent, "state">, send: Send): Promise<void> {
    const isWanted = () => this.unsent.get().some(({ id }) => id === unsent.id);
    if (!isWanted()) return;
    try {
      await send({ ...unsent, state: "sending" });
      this.forget(unsent.id);
    } catch (error) {
      if (isWanted()) this.#put({ ...unsent, state: error instanceof Unreachable ? "waiting" : "failed" });
    }
  }

  /** Removes a comment that was stored or discarded. */
  forget(id: string): void {
    if (this.unsent.get().some((one) => one.id === id)) this.#set(this.unsent.get().filter((one) => one.id !== id));
  }

  /** Removes all comments, e.g. when a person signs out. */
  clear(): void {
    this.#set([]);
  }

  #put(unsent: Unsent) {
    const isKnown = this.unsent.get().some(({ id }) => id === unsent.id);
    this.#set(
      isKnown ? this.unsent.get().map((one) => (one.id === unsent.id ? unsent : one)) : [...this.unsent.get(), unsent],
    );
  }

  #set(unsent: readonly Unsent[]) {
    keepJson(this.#storage, KEY, unsent);
    this.#store.set(unsent);
  }
}

function read(storage: KeyValueStorage): Unsent[] {
  const list = readJson(storage, KEY);
  return Array.isArray(list)
    ? list.map((one: Unsent) => ({ ...one, state: one.state === "failed" ? "failed" : "waiting" }))
    : [];
}
