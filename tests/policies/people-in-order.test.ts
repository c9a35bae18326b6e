import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
let memoryId: string;
let owner: Caller;
const people: string[] = [];

beforeAll(async () => {
  const world = await makeWorld(db);
  memoryId = world.memoryId;
  owner = world.callers.owner;
  for (const name of ["Mia", "Zoe", "Ada", "Mia", "Ben"]) {
    const id = crypto.randomUUID();
    await db.query(
      "insert into auth.users (id, email, email_confirmed_at) values ($1::uuid, $1 || '@example.com', now())",
      [id],
    );
    await db.query("update profiles set full_name = $2 where id = $1", [id, name]);
    people.push(id);
  }
});

interface Person {
  id: string;
  name: string;
  role: string;
}

/** A memory's people as a member reads them. */
const read = (args = "") =>
  asCaller(db, owner, async (tx) => {
    const { rows } = await tx.query<Person>(`select * from memory_people($1${args})`, [memoryId]);
    return rows;
  });

/** The same from the tables. */
async function expected(): Promise<Person[]> {
  const { rows } = await db.query<Person>(
    `select p.id, coalesce(n.full_name, '') as name, p.role from (
       select user_id as id, 'owner' as role from memories where id = $1
       union all select user_id, role from memory_members where memory_id = $1) p
     left join profiles n on n.id = p.id
     order by array_position('{owner,co-owner,contributor,viewer}', p.role), 2, 1`,
    [memoryId],
  );
  return rows;
}

const CHANGES = [
  "insert into memory_members (memory_id, user_id, role) select $1, p, 'viewer' from unnest($2::uuid[]) p",
  "update memory_members set role = 'contributor' where memory_id = $1 and user_id = ($2::uuid[])[2]",
  "update profiles set full_name = 'Zita' where $1::uuid is not null and id = ($2::uuid[])[3]",
  "update memory_members set role = 'co-owner' where memory_id = $1 and user_id = ($2::uuid[])[3]",
  "delete from memory_members where memory_id = $1 and user_id = ($2::uuid[])[4]",
  "delete from profiles where $1::uuid is not null and id = ($2::uuid[])[5]",
  "insert into profiles (id, full_name) select ($2::uuid[])[5], 'Abe' where $1::uuid is not null",
  "delete from auth.users where $1::uuid is not null and id = ($2::uuid[])[2]",
];

test("the people of a memory are in their order after each change of a member, a role or a name", async () => {
  for (const change of CHANGES) {
    const before = await read();
    await db.query(change, [memoryId, people]);
    const now = await read();
    expect(now, change).toEqual(await expected());
    expect(now, change).not.toEqual(before);
  }
  const { rows } = await db.query("select user_id from private.member_names where user_id = $1", [people[1]]);
  expect(rows).toEqual([]);
});

test("pages of people follow each other without a gap", async () => {
  const everybody = await read();
  expect(everybody.length).toBeGreaterThan(5);
  const pages = [await read(", 0, 2"), await read(", 2, 2"), await read(", skip => 4")];
  expect(pages.flat()).toEqual(everybody);
  expect(await read(", 0, 0")).toEqual([]);
  expect(await read(", -1, 1")).toEqual(everybody.slice(0, 1));
});

test("a name that changes while its person becomes a member is the new one", async () => {
  const person = people[0] ?? "";
  await db.query("delete from memory_members where user_id = $1", [person]);
  const joined = await db.transaction(async (renaming) => {
    await renaming.query("update profiles set full_name = 'Nina' where id = $1", [person]);
    const joining = db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
      memoryId,
      person,
    ]);
    // It waits for the name.
    await expect
      .poll(async () => (await db.query("select from pg_locks where not granted")).rows.length)
      .toBeGreaterThan(0);
    return { joining };
  });
  await joined.joining;
  expect((await read()).find(({ id }) => id === person)?.name).toBe("Nina");
});
