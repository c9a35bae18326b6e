import type { Caller } from "../../database/as-caller.ts";
import { BadBearerError, type Identify, SessionEndedError } from "../callers.ts";
import { columnRoles } from "../column-roles.ts";
import { audienceOf } from "./audience.ts";
import { type Binding, bind, type FilterCheck, type Wish } from "./bindings.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Listener } from "./delivery.ts";
import type { Change, Feed } from "./feed.ts";
import { FilterError } from "./parse-filter.ts";
import type { SessionWatch } from "./sessions.ts";

/** The dependencies of all channels of this process. */
export interface Hub {
  identify: Identify;
  catalogue: Catalogue;
  checkFilter: FilterCheck;
  feed: Feed;
  sessions: SessionWatch;
  /** The grants of all channels with bindings. */
  listeners: Set<Listener>;
  /** Resolves to the ids of a listener's bindings that these changes concern, of those that it may see. */
  concernedBindings(listener: Listener, changes: Change[]): Promise<Set<number>>;
}

/** A refusal for the client: `code: message` in the reply to a join, `message` alone in a system message. */
export class JoinRefusedError extends Error {
  constructor(
    readonly code: string | undefined,
    message: string,
    readonly extension: "system" | "postgres_changes" = "system",
  ) {
    super(message);
  }

  get reason() {
    return this.code ? `${this.code}: ${this.message}` : this.message;
  }
}

/** The access that one token gives a channel. A channel with a new token gets a new grant, which inherits nothing. */
export interface Grant {
  /** Starts to send changes, and withdraws `former` at the same moment, between two changes. */
  activate(former?: Grant): Promise<void>;
  /** Resolves to the ids of the bindings whose rows may have changed within this time in ms; undefined means all. */
  changedWithin(ms: number): Promise<Set<number> | undefined>;
  withdraw(): void;
}

interface GrantEnd {
  hear: Listener["hear"];
  /** Called when the token expires or its session ends. */
  ended(why: JoinRefusedError): void;
}

/** The longest delay of a timer in Node, in ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

const expired = () => new JoinRefusedError("InvalidJWTToken", "Token has expired 0 seconds ago");
const changesLost = () => new JoinRefusedError(undefined, "Changes could not be read. Join again, and read all.");
const sessionEnded = () => new JoinRefusedError("InvalidJWTToken", "The session of the token has ended");

/** Checks a join as the caller. Rejects with {@link JoinRefusedError}. `ids` identify the bindings to the client. */
export async function openGrant(
  { catalogue, checkFilter, feed, sessions, listeners, concernedBindings }: Hub,
  caller: Caller,
  wishes: Wish[],
  ids: number[],
  { hear, ended }: GrantEnd,
): Promise<Grant> {
  let withdrawn = false;
  let expiry: NodeJS.Timeout | undefined;
  let listener: Listener | undefined;
  const withdraw = () => {
    withdrawn = true;
    clearTimeout(expiry);
    unfollow();
    if (listener) listeners.delete(listener);
  };
  const end = (why: JoinRefusedError) => {
    withdraw();
    ended(why);
  };
  let present = caller;
  const unfollow = sessions.follow(caller, {
    ended: () => end(sessionEnded()),
    // The changes that follow are sent with the rights that are left, e.g. without a removed role.
    changed: (now) => {
      present = now;
      if (listener) listener.audience = audienceOf(now);
    },
  });
  const waitForExpiry = () => {
    if (typeof caller.exp !== "number") return;
    const remainingMs = caller.exp * 1000 - Date.now();
    expiry = setTimeout(
      () => (remainingMs > LONGEST_TIMER ? waitForExpiry() : end(expired())),
      Math.max(0, Math.min(remainingMs, LONGEST_TIMER)),
    ).unref();
  };

  try {
    if (typeof caller.exp === "number" && caller.exp * 1000 <= Date.now()) throw expired();
    waitForExpiry();
    if (!(await sessions.isOpen(caller))) throw sessionEnded();
    const bindings: Binding[] = [];
    for (const [index, binding] of wishes.entries()) {
      bindings.push(await bind({ catalogue, checkFilter }, columnRoles(caller), binding, ids[index] ?? 0));
    }
    if (bindings.length > 0) {
      listener = { audience: audienceOf(present), bindings, hear, lose: () => end(changesLost()) };
    }
  } catch (error) {
    withdraw();
    if (!(error instanceof FilterError)) throw error;
    throw new JoinRefusedError(
      undefined,
      `Unable to subscribe to changes with given parameters. ${error.message}`,
      "postgres_changes",
    );
  }
  return {
    async activate(former) {
      if (!listener) return former?.withdraw();
      const next = listener;
      await feed.follow(() => {
        former?.withdraw();
        if (!withdrawn) listeners.add(next);
      });
    },
    async changedWithin(ms) {
      const tables = listener?.bindings.flatMap(({ table }) => table ?? []) ?? [];
      // A binding of a whole schema asks for every table.
      if (!listener || tables.length < listener.bindings.length) return undefined;
      const changes = await feed.recent(ms, tables);
      return changes && concernedBindings(listener, changes);
    },
    withdraw,
  };
}

/** Resolves to the caller of a channel's token. Rejects with {@link JoinRefusedError}. */
export async function callerOf({ identify }: Hub, token: string): Promise<Caller> {
  return identify({ authorization: `Bearer ${token}` }).catch((error: unknown) => {
    if (!(error instanceof BadBearerError)) throw error;
    if (error instanceof SessionEndedError) throw sessionEnded();
    throw error.expired ? expired() : new JoinRefusedError("MalformedJWT", "The token provided is not a valid JWT");
  });
}
