import { z } from "zod";
import type { Caller } from "../../database/as-caller.ts";
import { nextBindingId, Wish } from "./bindings.ts";
import { callerOf, type Grant, type Hub, JoinRefusedError, openGrant } from "./grant.ts";
import { BINDINGS_PER_CHANNEL, type SocketBudget } from "./limits.ts";
import type { Written } from "./messages.ts";

const Join = z.object({
  access_token: z.string().nullish(),
  config: z
    .object({
      postgres_changes: z.array(Wish).max(BINDINGS_PER_CHANNEL).nullish(),
      private: z.boolean().nullish(),
      broadcast: z.looseObject({ ack: z.boolean().nullish(), self: z.boolean().nullish() }).nullish(),
      presence: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
});

export const BROADCASTS_NOT_SUPPORTED =
  "This server does not offer broadcasts. A channel receives changes of rows, by postgres_changes.";

const notSupported = (message: string) => new JoinRefusedError("not_supported", message);

/** Returns the refusal of a message to other clients. Its text is the same in a reply and in a `system` message. */
export const refusedMessage = (event: string) => {
  const message =
    event === "broadcast" ? BROADCASTS_NOT_SUPPORTED : `This server does not offer "${event.slice(0, 50)}" messages.`;
  return new JoinRefusedError(undefined, `not_supported: ${message}`);
};

/** The client's end of a channel. */
export interface ChannelEnd {
  push(event: string, ...payloads: object[]): void;
  /** Called when the channel has ended without a request of the client. */
  ended(): void;
}

export interface Channel {
  /** The reply to the client. */
  welcome: { postgres_changes: object[] };
  /** Confirms the subscription. Called once the client has its reply. */
  start(): void;
  /** Joins again as the caller of this token, or ends the channel. */
  renew(token: string): Promise<void>;
  leave(): void;
  /** Ends the channel with a `system` error, because its client sent a message that no other client can receive. */
  refuseMessage(event: string): void;
}

/** Joins a channel as the caller of its token, otherwise of the connection. Rejects with {@link JoinRefusedError}. */
export async function joinChannel(
  hub: Hub,
  budget: SocketBudget,
  topic: string,
  payload: unknown,
  connection: Caller,
  end: ChannelEnd,
): Promise<Channel> {
  const name = topic.slice("realtime:".length);
  const { token, wishes } = readJoin(payload);
  const free = budget.reserve(wishes.map(({ filter }) => filter));
  if (!free) throw new JoinRefusedError("ChannelRateLimitReached", "Too many postgres_changes on this connection");
  const ids = wishes.map(nextBindingId);

  let joined = false;
  /** The reason why the channel has ended; final once it is set. */
  let over: JoinRefusedError | undefined;
  let current: Grant | undefined;
  const leave = (why = new JoinRefusedError(undefined, "The channel was left")) => {
    over ??= why;
    current?.withdraw();
    free();
  };
  const system = (extension: string, status: "ok" | "error", message: string, more = {}) =>
    end.push("system", { extension, status, message, channel: name, ...more });
  const shutDown = (why: JoinRefusedError) => {
    if (over) return;
    leave(why);
    if (!joined) return;
    system(why.extension, "error", why.message);
    end.ended();
  };
  /** Changes before the reply. The client cannot assign them yet, because the reply names the ids of its bindings. */
  let early: Written[] | undefined = [];
  const hear = (changes: Written[]) => {
    if (over) return;
    if (early) early.push(...changes);
    else end.push("postgres_changes", ...changes);
  };
  const subscribed = (more = {}) => {
    if (wishes.length > 0 && !over) system("postgres_changes", "ok", "Subscribed to PostgreSQL", more);
  };
  const become = async (caller: Caller) => {
    const next = await openGrant(hub, caller, wishes, ids, { hear, ended: shutDown });
    const former = current;
    current = next;
    await next.activate(former).catch((error: unknown) => {
      former?.withdraw();
      next.withdraw();
      throw error;
    });
    if (!over) return;
    next.withdraw();
    throw over;
  };

  let missed: number[] | undefined;
  try {
    await become(token ? await callerOf(hub, token) : connection);
    missed = await missedBy(wishes, ids, current);
    // It may have ended meanwhile, and no client joins a channel again whose join was confirmed.
    if (over) throw over;
  } catch (error) {
    leave();
    throw error;
  }
  joined = true;
  return {
    welcome: { postgres_changes: wishes.map((binding, index) => ({ ...binding, id: ids[index] })) },
    start() {
      const changes = early ?? [];
      early = undefined;
      if (changes.length > 0) hear(changes);
      subscribed(missed && { missed });
    },
    async renew(next) {
      try {
        await become(await callerOf(hub, next));
        subscribed();
      } catch (error) {
        const isRefusal = error instanceof JoinRefusedError;
        // The former token is void, so a channel without a grant for its newest token ends.
        shutDown(isRefusal ? error : new JoinRefusedError(undefined, "Unknown Error on Channel"));
        if (!isRefusal) throw error;
      }
    },
    leave: () => leave(),
    refuseMessage: (event) => shutDown(refusedMessage(event)),
  };
}

/**
 * Resolves to the places of the bindings whose rows may have changed after the client read them and before the join;
 * undefined if it does not ask, or if the changes are too many or too old.
 */
async function missedBy(wishes: readonly Wish[], ids: number[], grant: Grant | undefined) {
  const times = wishes.map(({ within_ms }) => within_ms);
  if (!times.every((ms) => typeof ms === "number")) return undefined;
  const changed = await grant?.changedWithin(Math.max(...times));
  return changed && ids.flatMap((id, place) => (changed.has(id) ? place : []));
}

function readJoin(payload: unknown) {
  const join = Join.safeParse(payload ?? {});
  if (!join.success) {
    const [issue] = join.error.issues;
    throw new JoinRefusedError("InvalidJoinPayload", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { access_token: token, config } = join.data;
  const wishes = config?.postgres_changes ?? [];
  if (config?.private) throw notSupported("This server does not offer private channels.");
  if (wishes.some(({ select }) => select !== undefined)) {
    throw notSupported("This server does not offer the choice of columns. Every readable column is sent.");
  }
  const { broadcast, presence } = config ?? {};
  if (broadcast?.ack || broadcast?.self || broadcast?.replay) throw notSupported(BROADCASTS_NOT_SUPPORTED);
  if (presence?.enabled) throw notSupported("This server does not offer presence.");
  // The client reports each unacknowledged broadcast as sent, but not on a channel that it could not join.
  if (wishes.length === 0) throw notSupported(BROADCASTS_NOT_SUPPORTED);
  return { token, wishes };
}
