import { randomUUID } from "node:crypto";
import type { RealtimePostgresChangesPayload, SupabaseClient } from "@supabase/supabase-js";
import { expect, onTestFinished } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import type { TestServer } from "./server.ts";
import type { Owner } from "./sharing.ts";

export type Event = RealtimePostgresChangesPayload<Record<string, unknown>>;

export interface Wish {
  event?: "*" | "INSERT" | "UPDATE" | "DELETE";
  table?: string;
  filter?: string;
  /** Asks whether such rows changed within this time before the join, in ms. */
  within_ms?: number;
}

/** Subscribes and waits until changes are received; the returned list grows. */
export async function follow(
  client: SupabaseClient,
  { event = "*", table = "memories", filter, within_ms }: Wish = {},
) {
  const events: Event[] = [];
  const states: string[] = [];
  const system: { status: string; message: string; missed?: number[] }[] = [];
  // A channel that joins before its client has requested the token would have none.
  await client.realtime.setAuth();
  const channel = client
    .channel(randomUUID())
    .on(
      "postgres_changes",
      { event, schema: "public", table, ...(filter ? { filter } : {}), within_ms } as never,
      (heard: Event) => events.push(heard),
    )
    .on("system" as never, {} as never, (message: { status: string; message: string }) => system.push(message))
    .subscribe((state, error) => states.push(error ? `${state}: ${error.message}` : state));
  await expect.poll(() => [states, system]).toEqual([["SUBSCRIBED"], [expect.objectContaining({ status: "ok" })]]);
  return { events, states, system, channel };
}

/** Changes to memories by people. */
export const changesIn = ({ db, sign }: TestServer) => ({
  rename: (owner: Owner, name: string) =>
    asCaller(db, owner.caller, (tx) =>
      tx.query("update memories set person_name = $1 where id = $2", [name, owner.memoryId]),
    ),
  add: (owner: Owner, name: string) =>
    asCaller(db, owner.caller, (tx) => tx.query("insert into memories (person_name) values ($1)", [name])),
  remove: (owner: Owner) =>
    asCaller(db, owner.caller, (tx) => tx.query("delete from memories where id = $1", [owner.memoryId])),
  /** A token like that of an opened share. */
  visitorOf: (owner: Owner, version = 1, seconds?: number) =>
    sign({ role: "anon", aud: "anon", share: { link: owner.linkId, version } }, seconds),
});

/** A client whose channels are closed when the test ends. */
export function closing(client: SupabaseClient): SupabaseClient {
  onTestFinished(async () => void (await client.removeAllChannels()));
  return client;
}

export const names = (events: Event[]) =>
  events.map(({ new: row }) => ("person_name" in row ? row.person_name : undefined));
