import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import type { TestServer } from "./server.ts";

/** A signed-in person with a published memory and its shared main link. */
export interface Owner {
  userId: string;
  /** Their bearer token. */
  token: string;
  caller: Caller;
  memoryId: string;
  linkId: string;
  shareId: string;
}

/** Adds a person and their memory to the database, with a token as if they had signed in. */
export async function ownerOf(server: Pick<TestServer, "db" | "sign">, name: string): Promise<Owner> {
  const { db } = server;
  const userId = randomUUID();
  await db.query("insert into auth.users (id, email) values ($1, $2)", [userId, `${userId}@example.com`]);
  const caller: Caller = { role: "authenticated", sub: userId };
  const memory = await asCaller(db, caller, async (tx) => {
    const { rows } = await tx.query<{ memory: string; share: string }>(
      "insert into memories as m (person_name) values ($1) returning id as memory, share_id(m) as share",
      [name],
    );
    const links = await tx.query<{ id: string }>(
      "update share_links set shared_at = now() where memory_id = $1 returning id",
      [rows[0]?.memory],
    );
    return { memoryId: rows[0]?.memory ?? "", shareId: rows[0]?.share ?? "", linkId: links.rows[0]?.id ?? "" };
  });
  return { userId, token: await server.sign({ ...caller, aud: "authenticated" }), caller, ...memory };
}

/** Adds a row as this person; resolves to these columns. */
export async function newRow<Column extends string = "id">(
  client: SupabaseClient,
  table: string,
  row: object,
  ...columns: Column[]
): Promise<Record<Column, string>> {
  const added = client
    .from(table)
    .insert(row)
    .select(columns.join() || "id");
  return (await added.single<Record<Column, string>>().throwOnError()).data;
}

/** A published memory of this person, which is not shared yet. */
export const newMemory = (client: SupabaseClient, fields: object) =>
  newRow(client, "memories", fields, "id", "share_id");

/** Shares a memory's main link, which before opens nothing. */
export async function shareFirstLink(client: SupabaseClient, memoryId: string | undefined): Promise<void> {
  await client.from("share_links").update({ shared_at: "now" }).eq("memory_id", memoryId).throwOnError();
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls a server function with any body, also an invalid one. */
export async function post(
  server: Pick<TestServer, "url" | "keys">,
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: server.keys.publishable, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Opens a link, optionally from an address; the server must trust its proxy for that. */
export const open = (
  server: Pick<TestServer, "url" | "keys">,
  shareId: string,
  pin?: string,
  address = "203.0.113.1",
): Promise<Answer> =>
  post(server, "open-share", { shareId, ...(pin === undefined ? {} : { pin }) }, { "x-forwarded-for": address });

/** Sets or removes the PIN of a person's link. */
export const setPin = (server: Pick<TestServer, "url" | "keys">, owner: Owner, pin: string | null): Promise<Answer> =>
  post(server, "share-pin", { linkId: owner.linkId, pin }, { authorization: `Bearer ${owner.token}` });
