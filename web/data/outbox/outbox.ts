import { createStore, type Readable } from "../../lib/browser/store.ts";
import { deliver, type Rows, Unreachable } from "./deliver.ts";
import type { NewWrite, WaitingWrite } from "./waiting-write.ts";
import { type Credentials, OUTBOX, type WriteStore } from "./write-store.ts";

/** Who sends an owner's writes from this page. */
export interface Sender {
  rows: Rows;
  /** Whether the right to write has ended for now, e.g. because a link's PIN has changed. Refused writes then wait. */
  hasEnded?: () => Promise<boolean>;
  /** What the service worker sends with; undefined if it cannot. */
  credentials: () => Promise<Credentials | undefined>;
}

interface OutboxParts {
  store: WriteStore;
  locks: Pick<LockManager, "request"> | undefined;
  channel: Pick<BroadcastChannel, "postMessage" | "addEventListener"> | undefined;
  /** Whether an attempt is useless, because the page knows that the server cannot be reached. */
  isOffline: () => boolean;
  /** Asks for an event in the service worker once there is a network. */
  askForSync: () => void;
}

/** `isLate`: whether it was sent later than it was written. */
type StoredListener = (write: WaitingWrite, isLate: boolean) => unknown;

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends what people write: each owner's in order, one after the other, across tabs and restarts of the browser. A write is
 * stored before it is sent, and removed when the server has it or the person takes it back.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #entries = createStore<readonly WaitingWrite[]>([]);
  readonly #senders = new Map<string, Sender>();
  readonly #running = new Set<string>();
  readonly #results = new Map<
    string,
    { resolve: (state: "stored" | "waiting") => void; reject: (e: unknown) => void }
  >();
  readonly #listeners = new Set<StoredListener>();
  /** Writes that are being stored, and those for which the device has no room. */
  readonly #storing = new Map<string, Promise<boolean>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause = FIRST_PAUSE_MS;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    parts.channel?.addEventListener("message", () => void this.#readAgain());
  }

  /** The writes of the owners that this page has opened, in order. */
  readonly entries: Readable<readonly WaitingWrite[]> = this.#entries;

  /** Calls back before a write that the server has disappears from the entries, also one that another tab has sent. */
  onStored(listener: StoredListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads an owner's writes and sends them. Returns the function that ends it. */
  open(owner: string, sender: Sender): () => void {
    this.#senders.set(owner, sender);
    void this.#read(owner).then(() => this.flush(owner));
    return () => {
      if (this.#senders.get(owner) === sender) this.#senders.delete(owner);
    };
  }

  /**
   * Stores and sends a write. Resolves to whether the server has it or it waits for a network; rejects if it was refused.
   */
  async add(write: NewWrite): Promise<"stored" | "waiting"> {
    const entry: WaitingWrite = { ...write, state: "waiting" };
    this.#put({ ...entry, state: "sending" });
    const result = new Promise<"stored" | "waiting">((resolve, reject) => {
      this.#results.set(entry.id, { resolve, reject });
    });
    await this.#keep(entry);
    void this.flush(entry.owner);
    return result;
  }

  /** Sends a write again that was refused or waits. */
  async again(id: string): Promise<void> {
    const entry = this.#find(id);
    if (!entry) return;
    const write: WaitingWrite = { ...entry, state: "waiting" };
    this.#put({ ...write, state: "sending" });
    await this.#keep(write);
    await this.flush(entry.owner);
  }

  /** Takes a write back. Resolves to false if the server has it already. */
  async takeBack(id: string): Promise<boolean> {
    const entry = this.#find(id);
    if (!entry) return false;
    return this.#alone(entry.owner, async () => {
      const isHere = this.#find(id) !== undefined && (await this.#isStored(entry));
      if (!isHere) return false;
      await this.#parts.store.remove(id).catch(() => {});
      this.#settle(id, "waiting");
      this.#tell();
      return true;
    });
  }

  /** Deletes the writes of owners whose right to this device has ended. */
  async forget(isOf: (owner: string) => boolean): Promise<void> {
    for (const { id, owner } of this.#entries.get()) if (isOf(owner)) this.#settle(id, "waiting");
    await this.#parts.store.removeAll(isOf).catch(() => {});
    this.#tell();
  }

  /** Sends the writes of all owners, e.g. because the network is back. */
  wake(): void {
    this.#pause = FIRST_PAUSE_MS;
    for (const owner of this.#senders.keys()) void this.flush(owner);
  }

  /** Sends an owner's writes. Resolves when none is left that can be sent now. */
  async flush(owner: string): Promise<void> {
    const sender = this.#senders.get(owner);
    if (!sender || this.#running.has(owner)) return;
    this.#running.add(owner);
    try {
      while (await this.#sendNext(owner, sender));
    } finally {
      this.#running.delete(owner);
    }
    // Added after the last look.
    if (this.#of(owner).some(({ state }) => state === "sending")) await this.flush(owner);
  }

  async #sendNext(owner: string, sender: Sender): Promise<boolean> {
    const next = this.#of(owner).find(({ state }) => state !== "failed");
    if (!next) return false;
    const outcome = await this.#alone(owner, () => this.#send(next, sender));
    if (outcome === "waiting") {
      this.#park(owner, sender);
      return false;
    }
    if (outcome instanceof Error) this.#fail(next, outcome);
    else {
      if (outcome === "stored") await this.#announce(next);
      this.#settle(next.id, "stored");
    }
    this.#tell();
    return true;
  }

  /** Sends a write, unless another tab has sent or removed it, or the person has taken it back. */
  async #send(entry: WaitingWrite, sender: Sender): Promise<"stored" | "gone" | "waiting" | Error> {
    if (!this.#find(entry.id)) return "gone";
    if (!(await this.#isStored(entry))) return "stored";
    if (this.#parts.isOffline()) return "waiting";
    try {
      await deliver(sender.rows, entry);
    } catch (error) {
      if (error instanceof Unreachable || (await sender.hasEnded?.())) return "waiting";
      await this.#parts.store.put({ ...entry, state: "failed" }).catch(() => {});
      return error as Error;
    }
    await this.#parts.store.remove(entry.id).catch(() => {});
    return "stored";
  }

  async #announce(write: WaitingWrite) {
    const isLate = !this.#results.has(write.id);
    await Promise.allSettled([...this.#listeners].map(async (listener) => listener(write, isLate)));
  }

  #fail(entry: WaitingWrite, error: Error) {
    const waiter = this.#results.get(entry.id);
    this.#results.delete(entry.id);
    this.#put({ ...entry, state: "failed" });
    waiter?.reject(error);
  }

  /** Lets an owner's writes wait, and tries again after a pause that grows. */
  #park(owner: string, sender: Sender) {
    this.#entries.set(
      this.#entries
        .get()
        .map((one) => (one.owner === owner && one.state === "sending" ? { ...one, state: "waiting" as const } : one)),
    );
    for (const { id } of this.#of(owner)) this.#answer(id, "waiting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
      this.wake();
      this.#pause = pause;
    }, this.#pause);
    const prepare = async () => {
      const credentials = await sender.credentials();
      if (credentials) await this.#parts.store.putCredentials(credentials);
      this.#parts.askForSync();
    };
    void prepare().catch(() => {});
  }

  /** Stores a write. Without room on the device, it lasts as long as the page. */
  async #keep(write: WaitingWrite): Promise<void> {
    const stored = this.#parts.store.put(write).then(
      () => true,
      () => false,
    );
    this.#storing.set(write.id, stored);
    if (await stored) this.#storing.delete(write.id);
  }

  /** Whether neither another tab nor the service worker has sent or removed a write. */
  async #isStored({ id }: WaitingWrite): Promise<boolean> {
    if ((await this.#storing.get(id)) === false) return true;
    try {
      return (await this.#parts.store.get(id)) !== undefined;
    } catch {
      return true;
    }
  }

  /** Runs while no other tab, and not the service worker, sends this owner's writes. */
  #alone<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { locks } = this.#parts;
    return locks ? (locks.request(`${OUTBOX}-${owner}`, work) as Promise<Result>) : work();
  }

  /** Reads again after another tab or the service worker has changed something. */
  async #readAgain() {
    const owners = new Set([...this.#senders.keys(), ...this.#entries.get().map(({ owner }) => owner)]);
    await Promise.all([...owners].map((owner) => this.#read(owner)));
  }

  async #read(owner: string) {
    const before = this.#of(owner);
    const stored = await this.#parts.store.all(owner).catch(() => undefined);
    if (!stored) return;
    const ids = new Set(stored.map(({ id }) => id));
    const isOnlyHere = ({ id, state }: WaitingWrite) => state === "sending" || this.#storing.has(id);
    const sentEntries = before.filter((one) => !ids.has(one.id) && !isOnlyHere(one));
    await Promise.all(sentEntries.map((one) => this.#announce(one)));
    const own = this.#of(owner).filter(isOnlyHere);
    const others = this.#entries.get().filter((one) => one.owner !== owner);
    this.#entries.set([...others, ...stored.filter(({ id }) => !own.some((one) => one.id === id)), ...own]);
    for (const { id } of sentEntries) this.#answer(id, "stored");
  }

  #of = (owner: string) => this.#entries.get().filter((one) => one.owner === owner);
  #find = (id: string) => this.#entries.get().find((one) => one.id === id);

  #put(entry: WaitingWrite) {
    const all = this.#entries.get();
    this.#entries.set(this.#find(entry.id) ? all.map((one) => (one.id === entry.id ? entry : one)) : [...all, entry]);
  }

  #settle(id: string, state: "stored" | "waiting") {
    this.#storing.delete(id);
    this.#entries.set(this.#entries.get().filter((one) => one.id !== id));
    this.#answer(id, state);
  }

  #answer(id: string, state: "stored" | "waiting") {
    this.#results.get(id)?.resolve(state);
    this.#results.delete(id);
  }

  #tell() {
    this.#parts.channel?.postMessage("changed");
  }
}
