import { z } from "zod";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { BadBearer, type Identify } from "../callers.ts";
import { audienceOf } from "./audience.ts";
import { type Binding, bind, Wish } from "./bindings.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Listener } from "./delivery.ts";
import type { Feed } from "./feed.ts";
import { BadFilter } from "./parse-filter.ts";

/** What every channel of this process shares. */
export interface Hub {
  db: Database;
  identify: Identify;
  catalogue: Catalogue;
  feed: Feed;
  /** Every channel that wants to hear of changes. */
  listeners: Set<Listener>;
}

/** A reason for the client, in the words of a reply. */
export class JoinRefused extends Error {}

const BINDINGS_PER_CHANNEL = 50;

const Join = z.object({
  access_token: z.string().nullish(),
  config: z
    .object({
      postgres_changes: z.array(Wish).max(BINDINGS_PER_CHANNEL).nullish(),
      private: z.boolean().nullish(),
    })
    .nullish(),
});

/** The client's end of a channel. */
export interface ChannelEnd {
  push(event: string, ...payloads: object[]): void;
  /** The channel has ended by itself. */
  ended(): void;
}

export interface Channel {
  /** What the client is answered. */
  welcome: { postgres_changes: object[] };
  /** To be called when the client has its answer. */
  start(): void;
  renew(token: string): Promise<void>;
  leave(): void;
}

/** Node's timers hold no more milliseconds than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Joins a channel as whoever its token speaks for, else the connection itself; rejects with {@link JoinRefused}. */
export async function joinChannel(
  hub: Hub,
  topic: string,
  payload: unknown,
  connection: Caller,
  end: ChannelEnd,
): Promise<Channel> {
  const name = topic.slice("realtime:".length);
  const join = Join.safeParse(payload ?? {});
  if (!join.success) {
    const [issue] = join.error.issues;
    throw new JoinRefused(`InvalidJoinPayload: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { access_token: token, config } = join.data;
  // A private channel is one whose broadcasts are guarded; there are none, so nobody has a right to them.
  if (config?.private) {
    throw new JoinRefused(`Unauthorized: You do not have permissions to read from this Channel topic: ${name}`);
  }
  const caller = token ? await speaker(hub, token) : connection;
  const wishes = config?.postgres_changes ?? [];
  const bindings = await bindAll(hub, caller, wishes);

  let expiry: NodeJS.Timeout | undefined;
  const listener: Listener = {
    audience: audienceOf(caller),
    bindings,
    hear: (changes) => end.push("postgres_changes", ...changes),
  };
  const leave = () => {
    clearTimeout(expiry);
    hub.listeners.delete(listener);
  };
  const system = (extension: string, status: "ok" | "error", message: string) =>
    end.push("system", { extension, status, message, channel: name });
  const shutDown = (message: string) => {
    leave();
    system("system", "error", message);
    end.ended();
  };
  const expireWith = (speaking: Caller) => {
    const { exp } = speaking;
    clearTimeout(expiry);
    if (typeof exp !== "number") return;
    const left = exp * 1000 - Date.now();
    expiry = setTimeout(
      () => (left > LONGEST_TIMER ? expireWith(speaking) : shutDown("Token has expired 0 seconds ago")),
      Math.max(0, Math.min(left, LONGEST_TIMER)),
    ).unref();
  };

  expireWith(caller);
  if (bindings.length > 0) {
    await hub.feed
      .follow(() => hub.listeners.add(listener))
      .catch((error: unknown) => {
        leave();
        throw error;
      });
  }
  return {
    welcome: { postgres_changes: wishes.map((wish, i) => ({ ...wish, id: bindings[i]?.id })) },
    start() {
      if (bindings.length > 0) system("postgres_changes", "ok", "Subscribed to PostgreSQL");
    },
    async renew(next) {
      try {
        const speaking = await hub.identify({ authorization: `Bearer ${next}` });
        listener.audience = audienceOf(speaking);
        expireWith(speaking);
      } catch (error) {
        if (!(error instanceof BadBearer)) throw error;
        shutDown(error.expired ? "Token has expired 0 seconds ago" : "The token provided is not a valid JWT");
      }
    },
    leave,
  };
}

async function speaker(hub: Hub, token: string): Promise<Caller> {
  return hub.identify({ authorization: `Bearer ${token}` }).catch((error: unknown) => {
    if (!(error instanceof BadBearer)) throw error;
    throw new JoinRefused(
      error.expired ? "InvalidJWTToken: Token has expired" : "MalformedJWT: The token provided is not a valid JWT",
    );
  });
}

async function bindAll({ db, catalogue }: Hub, { role }: Caller, wishes: Wish[]): Promise<Binding[]> {
  try {
    return await Promise.all(wishes.map((wish) => bind(db, catalogue, role, wish)));
  } catch (error) {
    if (!(error instanceof BadFilter)) throw error;
    throw new JoinRefused(`Unable to subscribe to changes with given parameters. ${error.message}`);
  }
}
