import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";

/** Pairs of a key and some numbers. */
export type Told = [key: string, ...numbers: number[]][];

/** What the processes on one database tell each other. Nothing is kept: what is told while nobody hears is lost. */
export interface Exchange {
  /** Calls `collect` every second and tells what it returns to the others, whose `heard` gets it with the name of the teller. */
  report(topic: string, collect: () => Told, heard: (told: Told, teller: string) => void): void;
  close(): Promise<void>;
}

/** How often the others are told, in milliseconds. Where there is nothing to tell, nothing is sent. */
const TOLD_MS = 1000;
/** Keys of one message. PostgreSQL carries 8,000 bytes; a key has about 45, and 120 at most. */
const MOST = 45;

/** Opens the exchange of this process over `notify`, which costs one statement a second, and one connection to hear. */
export async function openExchange(
  db: Pick<Database, "read" | "listen">,
  failed: (error: unknown) => void,
): Promise<Exchange> {
  const own = randomUUID();
  const topics = new Map<string, { collect: () => Told; heard: (told: Told, teller: string) => void }>();
  const stopListening = await db.listen("exchange", (payload) => {
    // What was told while the connection was lost.
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
