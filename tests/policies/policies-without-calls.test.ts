import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

/** It stands in a condition that is never true, for the planner alone: docs/decisions/0118-memories-by-index.md. */
const NEVER_CALLED = "private.is_expected(uuid)";

test("no policy calls a function of ours for each row", async () => {
  const { rows } = await db.query<{ policy: string; tree: string }>(`
    select format('%I on %s', p.polname, p.polrelid::regclass) as policy, concat(p.polqual, p.polwithcheck) as tree
    from pg_policy p order by 1`);
  expect(rows.length).toBeGreaterThan(300);
  const names = await ownFunctions();
  const calls = rows.flatMap(({ policy, tree }) =>
    callsWithColumn(tree).flatMap((id) => (names.has(id) ? [`${policy}: ${names.get(id)}`] : [])),
  );
  expect(calls.filter((call) => !call.endsWith(`: ${NEVER_CALLED}`))).toEqual([]);
  expect(calls.length).toBe(2);
});

/**
 * The names of functions by id, except those of PostgreSQL and those in whose place it puts their expression: in SQL, with the
 * caller's rights and without settings of their own.
 */
async function ownFunctions(): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(`
    select p.oid::text as id, format('%s.%s(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
    where n.nspname <> 'pg_catalog'
      and not (l.lanname = 'sql' and p.provolatile = 'i' and not p.prosecdef and not p.proretset and p.proconfig is null)`);
  return new Map(rows.map(({ id, name }) => [id, name.replace(/\(\w+ /, "(")]));
}

/** The ids of functions and of operators' functions that an expression, as stored, calls with a column. */
function callsWithColumn(tree: string): string[] {
  return [
    ...tree.matchAll(/\{(?:FUNCEXPR :funcid|OPEXPR :opno \d+ :opfuncid|SCALARARRAYOPEXPR :opno \d+ :opfuncid) (\d+)/g),
  ]
    .filter(({ index }) => nodeAt(tree, index).includes("{VAR "))
    .map(([, id = ""]) => id);
}

/** The node of a stored expression that begins at `start`, with all that is in it. */
function nodeAt(tree: string, start: number): string {
  let depth = 0;
  for (let end = start; end < tree.length; end += 1) {
    // A brace in a name is escaped.
    if (tree[end] === "\\") end += 1;
    else if (tree[end] === "{") depth += 1;
    else if (tree[end] === "}" && --depth === 0) return tree.slice(start, end + 1);
  }
  throw new Error("The expression has no end");
}

test("such calls are found, also in a subquery, an array or a check", async () => {
  await db.exec(`
    create policy "a function" on memories as restrictive for select to service_role using (private.is_owner(id));
    create policy "in a subquery" on media as restrictive for insert to service_role
      with check (exists (select from memories m where m.id = media.memory_id and private.is_manager(m.id)));
    create policy "in an array" on media as restrictive for select to service_role
      using (id = any (array(select unnest(private.merged_people(media.id)))));
    create policy "of the caller" on media as restrictive for select to service_role using ((select private.is_admin()))`);
  const { rows } = await db.query<{ name: string; tree: string }>(`
    select polname as name, concat(polqual, polwithcheck) as tree from pg_policy
    where polname in ('a function', 'in a subquery', 'in an array', 'of the caller') order by 1`);
  const names = await ownFunctions();
  const calls = rows.map(({ name, tree }) => [name, callsWithColumn(tree).flatMap((id) => names.get(id) ?? [])]);
  expect(Object.fromEntries(calls)).toEqual({
    "a function": ["private.is_owner(uuid)"],
    "in a subquery": ["private.is_manager(uuid)"],
    "in an array": ["private.merged_people(uuid)"],
    "of the caller": [],
  });
  for (const [name, table] of [["a function", "memories"], ...rows.slice(1).map(({ name }) => [name, "media"])])
    await db.exec(`drop policy "${name}" on ${table}`);
});

test("the function of the condition that is never true is never called", async () => {
  await db.exec(`
    create or replace function private.is_expected(memory uuid) returns boolean language plpgsql immutable parallel safe cost 200
    as $$ begin raise exception 'called'; end $$`);
  for (const caller of Object.values(world.callers)) {
    await asCaller(db, caller, (tx) => tx.query("select from memories order by updated_at limit 20"));
    await asCaller(db, caller, (tx) => tx.query("select from memories where id = $1", [world.memoryId]));
  }
});

/** The number of rows of a view that a caller reads; "refused" without the right to read it. */
const read = (caller: Caller, view: string) =>
  asCaller(db, caller, async (tx) => (await tx.query(`select from private.${view}`)).rows.length).catch(
    () => "refused",
  );

test("views of policies show a caller what they added and whose name they may know", async () => {
  const { owner, viewer, stranger, visitor, guest } = world.callers;
  const count = async (text: string, ...values: unknown[]) =>
    (await db.query<{ count: number }>(`select count(*)::integer from ${text}`, values)).rows[0]?.count;
  expect(await read(owner, "own_media")).toBe(
    await count("media_details where user_id = $1", "sub" in owner ? owner.sub : undefined),
  );
  expect(await read(stranger, "own_media")).toBe(
    await count("media_details where user_id = $1", "sub" in stranger ? stranger.sub : undefined),
  );
  expect(await read(visitor, "own_media")).toBe(0);
  expect(await read(guest, "own_media")).toBe(await count("media_details where guest_id is not null"));
  for (const view of ["own_deleted_media", "pictures_of_fellows"]) {
    expect(await read(visitor, view)).toBe("refused");
    expect(await read(stranger, view)).toBe(0);
  }
  const { rows } = await asCaller(db, viewer, (tx) =>
    tx.query<{ name: string }>("select name from private.pictures_of_fellows"),
  );
  const { rows: fellows } = await db.query<{ name: string }>(
    `select private.picture_name(p.id) as name from profiles p
     where p.id in (select user_id from memory_members where memory_id = $1 union select user_id from memories where id = $1)`,
    [world.memoryId],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(fellows.map(({ name }) => name).sort());
});
