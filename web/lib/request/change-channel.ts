import type { RealtimeChannel } from "@supabase/supabase-js";
import { offline } from "../offline/offline-state.ts";
import type { SupabaseClient } from "./database-client.ts";

/** The kinds of row changes that a part of a page subscribes to. */
export interface ChangeBinding {
  table: string;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** E.g. `memory_id=eq.…`. The hosted platform does not filter deletes; extra ones only cause a reload. */
  filter?: string;
}

/** A new or changed row, or the identity of a deleted one. */
export interface RowChange {
  event: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  row: Record<string, unknown>;
}

interface Subscriber {
  /** A row has changed; undefined means unknown changes. `isFirst`: those before the subscriber's first join. */
  onChange: (change: RowChange | undefined, isFirst?: boolean) => void;
  /** Whether changes are received. */
  onConnection: (connected: boolean) => void;
}

/** Confirms a subscription. `missed`: the places of the kinds that changed within the time that the join states. */
interface SystemMessage {
  extension: string;
  status: string;
  missed?: number[];
}

interface Joined {
  channel: RealtimeChannel;
  /** The tables and filters of the channel, each as JSON. */
  kinds: ReadonlySet<string>;
  requestedAt: number;
  /** Whether the server may still say which kinds changed before the join. */
  awaitsMissed: boolean;
}

/** The longest that a join may take whose answer is believed, because the server counts from its own present. */
export const JOIN_MS = 3000;
/** A read from a replica may be this far behind. */
const BEHIND_MS = 1000;

let wasOffline = offline.get();
offline.subscribe(() => {
  wasOffline ||= offline.get();
});

/**
 * For how long the page may have had what it shows, in ms; undefined if it is, or was, an offline copy. The clock of
 * `performance` may stand still while a device sleeps, and that of `Date` may be set.
 */
const ageOfPage = () =>
  wasOffline
    ? undefined
    : Math.ceil(Math.max(performance.now(), Date.now() - performance.timeOrigin)) + JOIN_MS + BEHIND_MS;

/** Parts of a page that appear within this time share the first join. */
export const JOIN_AFTER_MS = 50;
/**
 * Delay before a channel is replaced, counted from the last part that was added or removed. The parts of a memory
 * appear one by one, and each join costs the server as much as several reads. Changes before the join are fetched after
 * it.
 */
export const REPLACE_AFTER_MS = 500;
const REJOIN_AFTER_MS = 2000;

/**
 * Matches a filter with an invalid id, e.g. from the page's URL. No row has that id, and the server would refuse the
 * channel.
 */
const NO_ID = /^(\w+_)?id=eq\.(?![0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/i;

/**
 * The single channel for row changes of all parts of a page. A channel's tables are fixed when it is joined, so a new
 * channel replaces it when parts are added or removed. The old one is left after the new one is joined, so that no
 * change is missed.
 */
export class ChangeChannel {
  readonly #client: SupabaseClient;
  readonly #subscribers = new Map<Subscriber, readonly string[]>();
  /** Subscribers without missed changes. The others have missed the changes before their channel was joined. */
  readonly #upToDate = new Set<Subscriber>();
  /** Subscribers that have been up to date once. */
  readonly #wereUpToDate = new WeakSet<Subscriber>();
  #current: Joined | undefined;
  /** The channel that will replace `#current` once it is joined. */
  #pending: Joined | undefined;
  #isConnected = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: SupabaseClient) {
    this.#client = client;
  }

  /** Sends changes of these kinds to a subscriber until the returned function is called. */
  subscribe(bindings: readonly ChangeBinding[], subscriber: Subscriber): () => void {
    this.#subscribers.set(
      subscriber,
      bindings.filter(({ filter = "" }) => !NO_ID.test(filter)).map((binding) => JSON.stringify(binding)),
    );
    this.#joinSoon();
    return () => {
      this.#subscribers.delete(subscriber);
      this.#upToDate.delete(subscriber);
      this.#joinSoon();
    };
  }

  #joinSoon() {
    this.#joinIn(this.#pending || this.#current ? REPLACE_AFTER_MS : JOIN_AFTER_MS);
  }

  #joinIn(ms: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#join().catch(() => this.#joinIn(REJOIN_AFTER_MS)), ms);
  }

  async #join() {
    const kinds = new Set([...this.#subscribers.values()].flat());
    if (kinds.size === 0) {
      this.#replace("current", undefined);
      return this.#replace("pending", undefined);
    }
    const newest = this.#pending ?? this.#current;
    if (newest && newest.kinds.size === kinds.size && [...kinds].every((kind) => newest.kinds.has(kind))) {
      return this.#catchUp();
    }
    const timer = this.#timer;
    // Without the caller's token, the channel would have a visitor's permissions.
    await this.#client.realtime.setAuth();
    if (timer !== this.#timer) return;
    // A unique name: for the name of a channel that is being left, the client would return that old channel.
    const channel = this.#client.channel(`changes-${crypto.randomUUID()}`);
    const within_ms = ageOfPage();
    const joined: Joined = { channel, kinds, requestedAt: performance.now(), awaitsMissed: within_ms !== undefined };
    for (const kind of kinds) {
      const filter = { schema: "public", ...JSON.parse(kind), within_ms } as { event: "*"; schema: string };
      channel.on("postgres_changes", filter, ({ eventType, table, new: now, old, errors }) => {
        if (joined !== this.#current) return;
        // A row that is too large to be sent is reported as an error.
        if (errors?.length) this.#notify(kind, undefined);
        else this.#notify(kind, { event: eventType, table, row: eventType === "DELETE" ? old : now });
      });
    }
    channel.on("system", {}, ({ extension, status, missed }: SystemMessage) => {
      if (extension === "postgres_changes" && status === "ok" && joined === this.#current) {
        this.#takeMissed(joined, missed);
      }
    });
    this.#replace("pending", joined);
    channel.subscribe((status) => this.#handleStatus(joined, status));
  }

  #handleStatus(joined: Joined, status: string) {
    if (joined !== this.#current && joined !== this.#pending) return;
    if (status === "SUBSCRIBED") {
      if (joined === this.#pending) {
        this.#pending = undefined;
        this.#replace("current", joined);
      }
      this.#isConnected = true;
      // What was missed comes with the next message.
      if (joined.awaitsMissed) this.#waitForMissed(joined);
      else this.#catchUp();
      return;
    }
    // The client joins the same channel again, with the page's former age.
    joined.awaitsMissed = false;
    this.#isConnected = false;
    this.#upToDate.clear();
    for (const { onConnection } of this.#subscribers.keys()) onConnection(false);
    if (status !== "CLOSED") return;
    // The server closes a channel whose token has expired. A new channel is joined with the next token.
    if (joined === this.#current) this.#current = undefined;
    else this.#pending = undefined;
    this.#joinIn(REJOIN_AFTER_MS);
  }

  /** Notifies all subscribers if the server does not say in time which kinds changed before the join. */
  #waitForMissed(joined: Joined) {
    setTimeout(() => {
      if (joined.awaitsMissed && joined === this.#current) this.#takeMissed(joined, undefined);
    }, JOIN_MS);
  }

  #takeMissed(joined: Joined, missed: readonly number[] | undefined) {
    if (!joined.awaitsMissed) return;
    joined.awaitsMissed = false;
    const isInTime = performance.now() - joined.requestedAt <= JOIN_MS;
    const missedKinds =
      isInTime && missed ? [...joined.kinds].filter((_, place) => missed.includes(place)) : joined.kinds;
    this.#catchUp(new Set(missedKinds));
  }

  /**
   * Notifies subscribers that may have missed changes: before the channel was joined, or while it was disconnected.
   * `changed`: the kinds of rows that may have changed since the page was requested.
   */
  #catchUp(changed = this.#current?.kinds) {
    if (!this.#isConnected) return;
    for (const [subscriber, kinds] of this.#subscribers) {
      if (this.#upToDate.has(subscriber) || !kinds.every((kind) => this.#current?.kinds.has(kind))) continue;
      this.#upToDate.add(subscriber);
      subscriber.onConnection(true);
      if (kinds.some((kind) => changed?.has(kind))) {
        subscriber.onChange(undefined, !this.#wereUpToDate.has(subscriber));
      }
      this.#wereUpToDate.add(subscriber);
    }
  }

  #notify(kind: string, change: RowChange | undefined) {
    for (const [{ onChange }, kinds] of this.#subscribers) if (kinds.includes(kind)) onChange(change);
  }

  #replace(which: "current" | "pending", joined: Joined | undefined) {
    const former = which === "current" ? this.#current : this.#pending;
    if (which === "current") this.#current = joined;
    else this.#pending = joined;
    if (former) void this.#client.removeChannel(former.channel);
  }
}
