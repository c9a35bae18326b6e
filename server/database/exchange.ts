import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";

/** Entries of a message: a key with some numbers each. */
export type ReportEntries = [key: string, ...numbers: number[]][];

/** Messages between the processes on one database. They are not stored: a process that is not listening misses them. */
export interface Exchange {
  /** Sends the result of `collect` to the other processes every second. Calls `onReport` with theirs and their id. */
  report(
    topic: string,
    collect: () => ReportEntries,
    onReport: (entries: ReportEntries, senderId: string) => void,
  ): void;
  close(): Promise<void>;
}

/** The interval of messages in milliseconds. Empty ones are not sent. */
const REPORT_INTERVAL_MS = 1000;
/**
 * The maximum number of keys in a message. PostgreSQL limits a payload to 8,000 bytes; a key has about 45, at most 120.
 */
const MAX_KEYS = 45;

/**
 * Opens the exchange, which uses `notify`. It costs one statement a second for each topic with content, and one
 * connection.
 */
export async function openExchange(
  db: Pick<Database, "read" | "listen">,
  onError: (error: unknown) => void,
): Promise<Exchange> {
  const ownId = randomUUID();
  const topics = new Map<
    string,
    { collect: () => ReportEntries; onReport: (entries: ReportEntries, senderId: string) => void }
  >();
  const stopListening = await db.listen("exchange", (payload) => {
    // An empty payload: messages were lost with the connection.
    if (payload === "") return;
    const {
      teller: senderId,
      topic,
      told: entries,
    } = JSON.parse(payload) as { teller: string; topic: string; told: ReportEntries };
    if (senderId !== ownId) topics.get(topic)?.onReport(entries, senderId);
  });
  const send = async (topic: string, entries: ReportEntries) => {
    for (let first = 0; first < entries.length; first += MAX_KEYS) {
      const payload = JSON.stringify({ teller: ownId, topic, told: entries.slice(first, first + MAX_KEYS) });
      await db.read("select pg_notify('exchange', $1)", [payload]);
    }
  };
  const timer = setInterval(() => {
    for (const [topic, { collect }] of topics) send(topic, collect()).catch(onError);
  }, REPORT_INTERVAL_MS).unref();
  return {
    report(topic, collect, onReport) {
      topics.set(topic, { collect, onReport });
    },
    async close() {
      clearInterval(timer);
      await stopListening();
    },
  };
}
