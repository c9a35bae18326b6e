import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";

/** Entries of a message: a key with some numbers each. */
export type Told = [key: string, ...numbers: number[]][];

/** Messages between the processes on one database. They are not stored: a process that is not listening misses them. */
export interface Exchange {
  /** Sends the result of `collect` to the other processes every second. Calls `heard` with theirs and their id. */
  report(topic: string, collect: () => Told, heard: (told: Told, teller: string) => void): void;
  close(): Promise<void>;
}

/** The interval of messages in milliseconds. Empty ones are not sent. */
const TOLD_MS = 1000;
/**
 * The maximum number of keys in a message. PostgreSQL limits a payload to 8,000 bytes; a key has about 45, at most 120.
 */
const MOST = 45;

/**
 * Opens the exchange, which uses `notify`. It costs one statement a second for each topic with content, and one
 * connection.
 */
export async function openExchange(
  db: Pick<Database, "read" | "listen">,
  failed: (error: unknown) => void,
): Promise<Exchange> {
  const own = randomUUID();
  const topics = new Map<string, { collect: () => Told; heard: (told: Told, teller: string) => void }>();
  const stopListening = await db.listen("exchange", (payload) => {
    // An empty payload: messages were lost with the connection.
    if (payload === "") return;
    const { teller, topic, told } = JSON.parse(payload) as { teller: string; topic: string; told: Told };
    if (teller !== own) topics.get(topic)?.heard(told, teller);
  });
  const tell = async (topic: string, all: Told) => {
    for (let first = 0; first < all.length; first += MOST) {
      const payload = JSON.stringify({ teller: own, topic, told: all.slice(first, first + MOST) });
      await db.read("select pg_notify('exchange', $1)", [payload]);
    }
  };
  const timer = setInterval(() => {
    for (const [topic, { collect }] of topics) tell(topic, collect()).catch(failed);
  }, TOLD_MS).unref();
  return {
    report(topic, collect, heard) {
      topics.set(topic, { collect, heard });
    },
    async close() {
      clearInterval(timer);
      await stopListening();
    },
  };
}
