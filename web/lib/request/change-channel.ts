import type { RealtimeChannel } from "@supabase/supabase-js";
import type { SupabaseClient } from "./database-client.ts";

export interface Changes {
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

interface Follower {
  /** A row has changed; undefined means unknown changes. */
  told: (change: RowChange | undefined) => void;
  /** Whether changes are received. */
  connected: (now: boolean) => void;
}

interface Joined {
  channel: RealtimeChannel;
  /** The tables and filters of the channel, each as JSON. */
  kinds: ReadonlySet<string>;
}

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
  readonly #followers = new Map<Follower, readonly string[]>();
  /** Followers without missed changes. The others have missed the changes before their channel was joined. */
  readonly #upToDate = new Set<Follower>();
  #standing: Joined | undefined;
  /** The channel that will replace `#standing` once it is joined. */
  #coming: Joined | undefined;
  #isConnected = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: SupabaseClient) {
    this.#client = client;
  }

  /** Sends changes of these kinds to a follower until the returned function is called. */
  follow(changes: readonly Changes[], follower: Follower): () => void {
    this.#followers.set(
      follower,
      changes.filter(({ filter = "" }) => !NO_ID.test(filter)).map((change) => JSON.stringify(change)),
    );
    this.#joinSoon();
    return () => {
      this.#followers.delete(follower);
      this.#upToDate.delete(follower);
      this.#joinSoon();
    };
  }

  #joinSoon() {
    this.#joinIn(this.#coming || this.#standing ? REPLACE_AFTER_MS : JOIN_AFTER_MS);
  }

  #joinIn(ms: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#join().catch(() => this.#joinIn(REJOIN_AFTER_MS)), ms);
  }

  async #join() {
    const kinds = new Set([...this.#followers.values()].flat());
    if (kinds.size === 0) {
      this.#replace("standing", undefined);
      return this.#replace("coming", undefined);
    }
    const newest = this.#coming ?? this.#standing;
    if (newest && newest.kinds.size === kinds.size && [...kinds].every((kind) => newest.kinds.has(kind))) {
      return this.#catchUp();
    }
    const timer = this.#timer;
    // Without the caller's token, the channel would have a visitor's permissions.
    await this.#client.realtime.setAuth();
    if (timer !== this.#timer) return;
    // A unique name: for the name of a channel that is being left, the client would return that old channel.
    const channel = this.#client.channel(`changes-${crypto.randomUUID()}`);
    const joined = { channel, kinds };
    for (const kind of kinds) {
      const filter = { schema: "public", ...JSON.parse(kind) } as { event: "*"; schema: string };
      channel.on("postgres_changes", filter, ({ eventType, table, new: now, old, errors }) => {
        if (joined !== this.#standing) return;
        // A row that is too large to be sent is reported as an error.
        if (errors?.length) this.#tell(kind, undefined);
        else this.#tell(kind, { event: eventType, table, row: eventType === "DELETE" ? old : now });
      });
    }
    this.#replace("coming", joined);
    channel.subscribe((status) => this.#hear(joined, status));
  }

  #hear(joined: Joined, status: string) {
    if (joined !== this.#standing && joined !== this.#coming) return;
    if (status === "SUBSCRIBED") {
      if (joined === this.#coming) {
        this.#coming = undefined;
        this.#replace("standing", joined);
      }
      this.#isConnected = true;
      return this.#catchUp();
    }
    this.#isConnected = false;
    this.#upToDate.clear();
    for (const { connected } of this.#followers.keys()) connected(false);
    if (status !== "CLOSED") return;
    // The server closes a channel whose token has expired. A new channel is joined with the next token.
    if (joined === this.#standing) this.#standing = undefined;
    else this.#coming = undefined;
    this.#joinIn(REJOIN_AFTER_MS);
  }

  /** Notifies followers that may have missed changes: before the channel was joined, or while it was disconnected. */
  #catchUp() {
    if (!this.#isConnected) return;
    for (const [follower, kinds] of this.#followers) {
      if (this.#upToDate.has(follower) || !kinds.every((kind) => this.#standing?.kinds.has(kind))) continue;
      this.#upToDate.add(follower);
      follower.connected(true);
      follower.told(undefined);
    }
  }

  #tell(kind: string, change: RowChange | undefined) {
    for (const [{ told }, kinds] of this.#followers) if (kinds.includes(kind)) told(change);
  }

  #replace(which: "standing" | "coming", joined: Joined | undefined) {
    const left = which === "standing" ? this.#standing : this.#coming;
    if (which === "standing") this.#standing = joined;
    else this.#coming = joined;
    if (left) void this.#client.removeChannel(left.channel);
  }
}
