import { createHash } from "node:crypto";
import type { Database, Transaction } from "../../server/database/database.ts";

/** The number of all memories. */
const MEMORIES = 20_000;
/** The people who share the remaining memories. */
const OTHERS = 2000;

/**
 * Gives each owner so many memories, and other people the rest. Triggers are off, because plans would refuse so many,
 * and links and notices are not needed.
 */
export async function makeMemories(db: Database, owners: { id: string; memories: number }[]): Promise<void> {
  await db.query(
    `insert into auth.users (id, email, aud, role) select md5('person ' || n)::uuid, 'person-' || n || '@example.com', 'authenticated', 'authenticated'
     from generate_series(1, $1::int) n on conflict do nothing`,
    [OTHERS],
  );
  await db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = replica");
    for (const { id, memories } of owners) await fill(tx, "$1::uuid", id, memories);
    const remaining = MEMORIES - owners.reduce((sum, { memories }) => sum + memories, 0);
    await fill(tx, "md5('person ' || (1 + n % $1::int))::uuid", OTHERS, remaining);
  });
  await db.exec("vacuum analyze");
}

const fill = (db: Transaction, owner: string, value: unknown, count: number) =>
  db.query(
    `insert into memories (user_id, person_name, created_at, draft)
     select ${owner}, 'Rosa ' || n, now() - n * interval '1 minute', false from generate_series(1, $2::int) n`,
    [value, count],
  );

/** A password without a known hash. */
export const passwordOf = (name: string) => createHash("sha256").update(name).digest("base64url");
