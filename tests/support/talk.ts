import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";
import { newMemory, newRow } from "./sharing.ts";

/** A published memory of this person; resolves to its id. */
export async function memoryOf({ client }: Person): Promise<string> {
  const data = await newMemory(client, { person_name: "Rosa" });
  return String(data.id);
}

/** Makes a person a member of a memory, as if they had accepted an invitation. */
export const belong = ({ db }: Pick<TestServer, "db">, memory: string, { id }: Person, role: string) =>
  db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [memory, id, role]);

/** Adds a link to a manager's memory; resolves to its share id. */
export async function linkTo(memory: string, { client }: Person, more: object): Promise<string> {
  const link = { memory_id: memory, ...more };
  const data = await newRow(client, "share_links", link, "share_id");
  return String(data.share_id);
}

/** Adds a comment to a memory; resolves to its id. */
export async function say(client: SupabaseClient, memory: string, body: string, more: object = {}): Promise<string> {
  const id = randomUUID();
  await client
    .from("comments")
    .insert({ id, memory_id: memory, body, ...more })
    .throwOnError();
  return id;
}
