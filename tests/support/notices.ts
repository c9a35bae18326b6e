import { randomUUID } from "node:crypto";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";

/** A person with a confirmed address and a name. */
export interface Commenter {
  id: string;
  email: string;
  caller: Caller;
}

/** Adds a person to the database, with a language, time zone and email frequency. */
export async function commenter(
  db: Database,
  name: string,
  wishes: { language?: "en" | "it"; zone?: string; mail?: string } = {},
): Promise<Commenter> {
  const [id, email] = [randomUUID(), `${randomUUID()}@example.com`];
  await db.query(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)`,
    [id, email, { full_name: name, language: wishes.language ?? "en" }],
  );
  await db.query("insert into notice_settings (user_id, mail, time_zone) values ($1, $2, $3)", [
    id,
    wishes.mail ?? null,
    wishes.zone ?? "Europe/Rome",
  ]);
  return { id, email, caller: { role: "authenticated", sub: id, aud: "authenticated" } };
}

/** Runs one statement as a person; resolves to its rows. */
export const as = <Row = Record<string, unknown>>(
  db: Database,
  { caller }: Commenter,
  text: string,
  values: unknown[] = [],
) => asCaller(db, caller, async (tx) => (await tx.query<Row>(text, values)).rows);

/** A published memory with these people. */
export async function memoryOf(
  db: Database,
  owner: Commenter,
  people: Record<string, Commenter> = {},
): Promise<string> {
  const [memory] = await as<{ id: string }>(
    db,
    owner,
    "insert into memories (person_name) values ('Nonna Rosa') returning id",
  );
  for (const [role, person] of Object.entries(people)) {
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [
      memory?.id,
      person.id,
      role,
    ]);
  }
  return memory?.id ?? "";
}

/** Adds a comment to a memory; resolves to its id. */
export async function say(
  db: Database,
  who: Commenter,
  memory: string,
  body: string,
  parent: string | null = null,
  mentions: string[] = [],
) {
  const [row] = await as<{ id: string }>(
    db,
    who,
    "insert into comments (memory_id, body, parent_id, mentions) values ($1, $2, $3, $4) returning id",
    [memory, body, parent, mentions],
  );
  return row?.id ?? "";
}

/** Adds photos to a memory in one statement; resolves to their ids. */
export async function addPhotos(
  db: Database,
  who: Commenter,
  memory: string,
  how_many: number,
  bytes = 1,
): Promise<string[]> {
  const rows = await as<{ id: string }>(
    db,
    who,
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     select 'media', $1 || '/' || gen_random_uuid() || '.jpg', $2::uuid, $2::uuid::text, gen_random_uuid()::text,
       jsonb_build_object('mimetype', 'image/jpeg', 'size', $4::bigint) from generate_series(1, $3::integer) returning id`,
    [memory, who.id, how_many, bytes],
  );
  return rows.map(({ id }) => id);
}

export interface SeenNotice {
  id: string;
  kind: string;
  actor_name: string;
  count: number;
}

/** A person's notices, read with their permissions. */
export const noticesOf = (db: Database, who: Commenter) =>
  as<SeenNotice>(db, who, "select id, kind, actor_name, count from notices order by created_at, kind");

/** The kinds of a person's notices. */
export const kindsOf = async (db: Database, who: Commenter) => (await noticesOf(db, who)).map(({ kind }) => kind);
