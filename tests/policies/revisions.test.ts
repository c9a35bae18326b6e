import { expect, test } from "vitest";
import { asCaller, SERVICE } from "../../server/database/as-caller.ts";
import { isSqlError } from "../../server/database/database.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who } from "../support/world.ts";
import { type Statement, statementOf } from "./statements.ts";

const db = await testDatabase();
const world = await makeWorld(db);

/** Tables that callers update without a revision, and why no change is lost in them. */
const WITHOUT_REVISION: Record<string, string> = {
  "public.card_secrets": "A secret is replaced as a whole, and nobody can read it",
  "public.cart_items": "A person's own cart; each change sets one number that the page shows live",
  "public.email_preferences": "A person's own switch",
  "public.media_name_suggestions": "Only that it was taken or refused",
  "public.media_names": "Only the point of a name, set as a whole and live on every page",
  "public.notice_preferences": "A person's own switches, each sent by itself",
  "public.notice_settings": "A person's own switches, each sent by itself",
  "public.notices": "Only the time at which it was read",
  "public.photo_answers": "One decision, sent by itself and live for all managers",
  "public.photo_letters": "One switch, which ends the question or takes that back",
  "public.picture_requests": "One decision with its words, sent by itself and live for all managers",
  "public.reports": "settle_report refuses a second decision",
  "public.share_pins": "A secret is replaced as a whole, and nobody can read it",
  "public.walls": "Switches of the remote control, each sent by itself and live for all managers",
  "storage.buckets": "Nobody's rows but the service's",
  "storage.objects": "Bytes are replaced only by an upload that says so",
};

const { rows: updatable } = await db.query<{ name: string; revised: boolean; roles: string[] }>(`
  select n.nspname || '.' || c.relname as name,
    exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 't15_revise' and t.tgenabled = 'O') as revised,
    array(select role from unnest(array['anon', 'authenticated']) role
      where has_any_column_privilege(role, c.oid, 'update')
        and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'revision'
          and has_column_privilege(role, c.oid, a.attnum, 'update'))) as roles
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname in ('public', 'storage')
    and (has_any_column_privilege('anon', c.oid, 'update') or has_any_column_privilege('authenticated', c.oid, 'update'))
  order by 1`);
const revised = updatable.filter((table) => table.revised).map(({ name }) => name);

test("every table that callers update has revisions, or a reason for none", () => {
  const without = updatable.filter((table) => !table.revised).map(({ name }) => name);
  expect(without).toEqual(Object.keys(WITHOUT_REVISION));
});

test("whoever may update a row may name its revision", () => {
  expect(updatable.filter((table) => table.revised && table.roles.length > 0)).toEqual([]);
});

class Undo extends Error {}

/** Runs an update that also sets the revision, and undoes it. Resolves to the number of rows, or the error's code. */
async function update(who: Who, [text, values]: Statement, revision: string): Promise<number | string> {
  let changed = 0;
  try {
    await asCaller(db, world.callers[who], async (tx) => {
      changed = (await tx.query(text.replace(" set ", ` set ${revision}, `), values)).changed;
      throw new Undo();
    });
  } catch (error) {
    if (isSqlError(error)) return `${error.code} ${error.hint ?? ""}`.trim();
    if (!(error instanceof Undo)) throw error;
  }
  return changed;
}

test.each(revised)("%s: a stale revision is refused for everybody who may update", async (table) => {
  const outcomes = await Promise.all(
    WHO.map(async (who) => {
      const statement = statementOf(world, who, table, "update");
      const allowed = await update(who, statement, "revision = revision");
      return { who, allowed, stale: await update(who, statement, "revision = revision - 1") };
    }),
  );
  const admitted = outcomes.filter(({ allowed }) => typeof allowed === "number" && allowed > 0);
  expect(admitted.filter(({ who }) => who !== "service")).not.toEqual([]);
  for (const { who, stale } of admitted) expect([who, stale]).toEqual([who, "PT409 conflict"]);
  // Callers who cannot reach the row do not learn that it has another revision.
  for (const { who, stale } of outcomes.filter(({ allowed }) => allowed === 0)) expect([who, stale]).toEqual([who, 0]);
});

test("a guest's own story is protected, too", async () => {
  const add = `insert into stories (memory_id, body) values ('${world.memoryId}', '<p>Hers.</p>') returning id`;
  const { rows } = await asCaller(db, world.callers.guest, (tx) => tx.query<{ id: string }>(add));
  const own: Statement = ["update stories set body = '<p>Hers!</p>' where id = $1", [rows[0]?.id]];
  expect(await update("guest", own, "revision = revision")).toBe(1);
  expect(await update("guest", own, "revision = 9")).toBe("PT409 conflict");
});

const revisionOf = async (change: string) => {
  const text = `${change} where id = $1 returning revision`;
  const { rows } = await asCaller(db, world.callers.owner, (tx) =>
    tx.query<{ revision: number }>(text, [world.memoryId]),
  );
  return rows[0]?.revision;
};

test("a change counts, with its revision and without; what changes nothing does not", async () => {
  expect(await revisionOf("update memories set person_name = 'Rosa', revision = 1")).toBe(2);
  expect(await revisionOf("update memories set person_name = 'Nonna Rosa'")).toBe(3);
  expect(await revisionOf("update memories set person_name = 'Nonna Rosa', revision = 3")).toBe(3);
  expect(await revisionOf("update memories set album_position = 4")).toBe(3);
  await expect(revisionOf("update memories set person_name = 'Rosa', revision = 2")).rejects.toMatchObject({
    code: "PT409",
    hint: "conflict",
  });
  await expect(revisionOf("update memories set person_name = 'Rosa', revision = null")).rejects.toMatchObject({
    code: "PT409",
  });
});

test("of two updates at once that name the same revision, one is refused", async () => {
  const before = await revisionOf("update memories set birth_date = '1912'");
  const change = (set: string) => revisionOf(`update memories set ${set}, revision = ${before}`);
  const outcomes = await Promise.allSettled([change("birth_date = '1921'"), change("person_name = 'Rosa B.'")]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("work of the server on a photo is no revision of its caption", async () => {
  const change = (set: string) =>
    asCaller(db, SERVICE, (tx) =>
      tx.query<{ revision: number }>(`update media set ${set} where id = $1 returning revision`, [world.objectId]),
    );
  expect((await change("state = 'ready', width = 4, height = 3, colour = '#aabbcc'")).rows).toEqual([{ revision: 1 }]);
  expect((await change("caption = 'At the sea'")).rows).toEqual([{ revision: 2 }]);
});

test("a plan or the card with other terms than those that a change is based on stays as it is", async () => {
  const save = (text: string, ...values: unknown[]) =>
    asCaller(db, world.callers.administrator, (tx) => tx.query(`select ${text}`, values));
  const plan = async () => {
    const { rows } = await db.query(
      `select name, storage_gb, (select jsonb_object_agg(currency, amount) from plan_prices where plan_id = id) as prices
       from subscription_plans where id = 'test-terms'`,
    );
    return rows[0];
  };
  const terms = { name: "Terms", max_memories: null, storage_gb: 5, term_years: 1, included_cards: 0 };
  const [base, renamed] = [
    { ...terms, prices: { EUR: 900, GBP: 800 } },
    { ...terms, name: "Terms of all", prices: { EUR: 900 } },
  ];
  await save("save_plan('test-terms', $1)", JSON.stringify(base));
  await save(
    "save_plan('test-terms', $1, $2)",
    JSON.stringify({ name: renamed.name, prices: { GBP: null } }),
    JSON.stringify(base),
  );
  expect(await plan()).toEqual({ name: "Terms of all", storage_gb: 5, prices: { EUR: 900 } });
  const change = (from: object) =>
    save("save_plan('test-terms', $1, $2)", JSON.stringify({ prices: { EUR: 700 } }), JSON.stringify(from));
  await expect(change(base)).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
  await expect(change({ ...renamed, prices: { EUR: 901 } })).rejects.toMatchObject({ code: "PT409" });
  expect(await plan()).toEqual({ name: "Terms of all", storage_gb: 5, prices: { EUR: 900 } });
  const outcomes = await Promise.allSettled([change(renamed), change(renamed)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await plan()).toEqual({ name: "Terms of all", storage_gb: 5, prices: { EUR: 700 } });

  const card = async () => {
    const { rows } = await db.query<{ terms: { prices: object; discounts: object } }>(
      `select jsonb_build_object(
        'prices', (select jsonb_object_agg(currency, amount) from product_prices where product_id = 'metal-card'),
        'discounts', (select coalesce(jsonb_object_agg(min_quantity, percentage), '{}') from quantity_discounts
          where product_id = 'metal-card')) as terms`,
    );
    return rows[0]?.terms;
  };
  const before = await card();
  const steps = (discounts: object) => save("save_card($1, $2)", JSON.stringify({ discounts }), JSON.stringify(before));
  await steps({ 7: 5 });
  expect(await card()).toEqual({ ...before, discounts: { 7: 5 } });
  await expect(steps({ 8: 6 })).rejects.toMatchObject({ code: "PT409" });
  expect(await card()).toEqual({ ...before, discounts: { 7: 5 } });
});
