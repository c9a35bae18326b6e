import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const log = (subject: string) =>
  run(
    world.callers.administrator,
    "select action, role, address, actor, before, after, reason from audit_log where subject = $1 order by id",
    [subject],
  );
const newPerson = async () => {
  const id = randomUUID();
  await db.query("insert into auth.users (id, email) values ($1, $2)", [id, `${id}@example.com`]);
  await db.query("insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)", [id]);
  return id;
};

describe("the audit log", () => {
  test("records an administrator's changes with the address and the values before and after", async () => {
    const admin: Caller = { ...world.callers.administrator, address: "192.0.2.7" };
    await run(admin, "insert into vouchers (code, percentage) values ('AUDITED', 10)");
    await run(admin, "update vouchers set percentage = 20 where code = 'AUDITED'");
    await run(admin, "delete from vouchers where code = 'AUDITED'");
    const by = { role: "admin", address: "192.0.2.7", actor: admin.sub };
    expect(await log("AUDITED")).toMatchObject([
      { ...by, action: "vouchers.insert", before: null, after: { percentage: 10 } },
      { ...by, action: "vouchers.update", before: { percentage: 10 }, after: { percentage: 20 } },
      { ...by, action: "vouchers.delete", before: { percentage: 20 }, after: null },
    ]);
  });

  test("records no change that was rolled back, and none that customers make to their own rows", async () => {
    const undone = run(
      world.callers.administrator,
      "with made as (insert into vouchers (code, percentage) values ('UNDONE', 10) returning 1) select 1 / 0 from made",
    );
    await expect(undone).rejects.toMatchObject({ code: "22012" });
    expect(await log("UNDONE")).toEqual([]);
    await run(world.callers.owner, "update affiliates set state = 'left' where id = $1", [world.affiliateId]);
    expect(await log(world.affiliateId)).toMatchObject([{ action: "affiliates.insert", role: "service_role" }]);
  });

  test("does not contain postal addresses", async () => {
    const set = "update card_deliveries set address = $2, carrier = 'Royal Mail' where card_id = $1";
    await run(world.callers.administrator, set, [world.cardId, { line1: "1 Sea Road" }]);
    expect((await log(world.cardId)).at(-1)).toMatchObject({ after: { carrier: "Royal Mail" } });
    expect(JSON.stringify(await log(world.cardId))).not.toContain("Sea Road");
  });

  test.each(["update audit_log set subject = 'X'", "delete from audit_log", "truncate audit_log"])(
    "cannot be changed, even by the server's own connection: %s",
    async (text) => {
      await expect(db.query(text)).rejects.toMatchObject({ code: "42501" });
    },
  );
});

const NOBODY = "00000000-0000-4000-8000-000000000000";

/**
 * Every function of the desk: a call, and the roles that may make it. For all other callers the function does not
 * exist.
 */
const FUNCTIONS: Record<string, { call: string; roles: readonly Who[] }> = {
  campaign_use: { call: "campaign_use()", roles: ["administrator"] },
  create_campaign: { call: "create_campaign('Spring', 10, 0)", roles: ["administrator"] },
  desk_affiliates: { call: "desk_affiliates()", roles: ["administrator"] },
  record_payout: { call: "record_payout('nobody@example.com', 1, 'GBP')", roles: ["administrator"] },
  voucher_use: { call: "voucher_use('{}')", roles: ["administrator"] },
  order_events: {
    call: "order_events(gen_random_uuid())",
    roles: ["administrator", "support", "fulfilment"],
  },
  "private.begin_refund": {
    call: "private.begin_refund('SK-1', 1, 'Damaged', gen_random_uuid())",
    roles: ["administrator"],
  },
  "private.settle_refund": { call: "private.settle_refund(gen_random_uuid(), 'done')", roles: ["administrator"] },
  "private.resend_receipt": {
    call: "private.resend_receipt(gen_random_uuid(), '{}')",
    roles: ["administrator", "support"],
  },
  desk_file_failures: { call: "desk_file_failures()", roles: ["administrator"] },
  desk_figures: { call: "desk_figures()", roles: ["administrator", "support"] },
  desk_inbox: { call: "desk_inbox()", roles: ["administrator", "support"] },
  desk_inbox_item: { call: `desk_inbox_item('${NOBODY}')`, roles: ["administrator", "support"] },
  desk_names: { call: "desk_names('{}')", roles: ["administrator"] },
  desk_outbox: { call: "desk_outbox()", roles: ["administrator"] },
  desk_people: { call: "desk_people()", roles: ["administrator", "support"] },
  desk_person: { call: `desk_person('${NOBODY}')`, roles: ["administrator", "support"] },
  desk_queues: { call: "desk_queues()", roles: ["administrator", "support"] },
  desk_read_back: { call: "desk_read_back()", roles: ["administrator"] },
  desk_system: { call: "desk_system()", roles: ["administrator"] },
  end_granted_plan: { call: `end_granted_plan('${NOBODY}', 'Why')`, roles: ["administrator"] },
  erase_person: { call: "erase_person('nobody@example.com', 'Why')", roles: ["administrator"] },
  grant_plan: { call: "grant_plan('nobody@example.com', 'skies-pro')", roles: ["administrator"] },
  let_back_person: { call: "let_back_person('nobody@example.com', 'Why')", roles: ["administrator"] },
  retry_file: { call: `retry_file('${NOBODY}', 'photos')`, roles: ["administrator"] },
  retry_read_back: { call: "retry_read_back()", roles: ["administrator"] },
  retry_message: { call: `retry_message('${NOBODY}')`, roles: ["administrator"] },
  restore_revision: { call: "restore_revision(0)", roles: ["administrator", "editor"] },
  save_card: { call: `save_card('{}', '{"prices": {}, "discounts": {}}')`, roles: ["administrator"] },
  save_plan: { call: `save_plan('no-plan', '{}', '{}')`, roles: ["administrator"] },
  set_staff_role: { call: "set_staff_role('nobody@example.com', null)", roles: ["administrator"] },
  settle_report: { call: `settle_report('${NOBODY}', 'nothing', 'Why')`, roles: ["administrator", "support"] },
  suspend_person: { call: "suspend_person('nobody@example.com', 'Why')", roles: ["administrator"] },
};
const NOTHING = "There is nothing at this path.";

describe("the functions of the desk", () => {
  test("are all in the table of this test", async () => {
    const { rows } = await db.query<{ name: string }>(
      `select case when n.nspname = 'public' then '' else n.nspname || '.' end || p.proname as name
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosrc like '%private.require_role(%' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(FUNCTIONS).sort());
  });

  const cases = Object.entries(FUNCTIONS).flatMap(([name, { call, roles }]) =>
    WHO.map((who): [string, Who, string, boolean] => [name, who, call, roles.includes(who) || who === "service"]),
  );
  test.each(cases)("%s for %s", async (_name, who, call, allowed) => {
    const caller = world.callers[who];
    const error = await run(caller, `select ${call}`).then(
      () => undefined,
      (reason: { code: string; message: string }) => reason,
    );
    if (allowed) expect(error?.message).not.toBe(NOTHING);
    else expect(error).toMatchObject(caller.role === "anon" ? { code: "42501" } : { code: "PT404", message: NOTHING });
  });
});

describe("a role at the desk", () => {
  test("is given by the command line, ends the person's sessions, and is taken away by an administrator", async () => {
    const id = await newPerson();
    const set = "select set_staff_role($1, $2, $3) as answer";
    const [role] = await run(SERVICE, set, [`${id}@EXAMPLE.com`, "editor", null]);
    expect(role).toEqual({ answer: { email: `${id}@example.com`, role: "editor", second_factor: false } });
    const person =
      "select raw_app_meta_data ->> 'role' as role, (select count(*)::int from auth.sessions where user_id = $1) as sessions from auth.users where id = $1";
    expect((await db.query(person, [id])).rows).toEqual([{ role: "editor", sessions: 0 }]);
    await run(world.callers.administrator, set, [`${id}@example.com`, null, "Left us"]);
    expect((await db.query(person, [id])).rows).toEqual([{ role: null, sessions: 0 }]);
    expect(await log(id)).toMatchObject([
      { action: "person.role", role: "service_role", before: { role: null }, after: { role: "editor" } },
      { action: "person.role", role: "admin", before: { role: "editor" }, after: { role: null }, reason: "Left us" },
    ]);
  });

  test("cannot be changed by its holder, so that one administrator remains", async () => {
    const email = `${world.callers.administrator.sub}@example.com`;
    const own = run(world.callers.administrator, "select set_staff_role($1, null)", [email]);
    await expect(own).rejects.toMatchObject({ code: "PT409" });
  });
});

describe("among many orders and cards", () => {
  beforeAll(async () => {
    await db.exec(`
      insert into orders (email, currency, subtotal, total, created_at)
        select 'buyer' || n || '@example.com', 'GBP', 4500, 4500, now() - n * interval '1 hour' from generate_series(1, 5000) n;
      insert into metal_cards (order_id, making, created_at)
        select o.id, case when random() < 0.02 then 'ordered' else 'sent' end, o.created_at from orders o where o.total = 4500;
      analyze orders; analyze metal_cards`);
  });

  test.each([
    ["orders_newest", "orders where true order by created_at desc, id limit 50"],
    ["orders_status", "orders where status = 'disputed' order by created_at desc, id limit 50"],
    [
      "orders_email_key",
      "orders where email_key >= 'buyer77@' and email_key < 'buyer77@~' order by created_at desc, id limit 50",
    ],
    ["orders_number_key", "orders where number = 'SK-2026-000077' order by created_at desc, id limit 50"],
    ["metal_cards_making", "metal_cards where making = 'ordered' order by created_at, id limit 30"],
  ])("the first page uses the index %s", async (index, query) => {
    const plan = await run(world.callers.administrator, `explain select id from ${query}`);
    expect(JSON.stringify(plan)).toContain(index);
  });
});

test("every version of a blog post is kept, and an editor can restore an earlier one, even of a deleted post", async () => {
  const { editor } = world.callers;
  await run(
    editor,
    `insert into blog_posts (slug, language, title, summary, body, author, published_at)
     values ('tea', 'en', 'Tea', 'About tea.', '<p>First</p>', 'Nia', now())`,
  );
  await run(editor, "update blog_posts set body = '<p>Second</p>' where slug = 'tea'");
  await expect(run(editor, "update blog_posts set cover = 'none.jpg' where slug = 'tea'")).rejects.toMatchObject({
    code: "23503",
  });
  // A change of the date alone creates no version.
  await run(editor, "update blog_posts set published_at = now() where slug = 'tea'");
  const versions = () => run(editor, "select id, body, written_by from blog_revisions where slug = 'tea' order by id");
  const [first] = await versions();
  expect(await versions()).toEqual([{ id: first?.id, body: "<p>First</p>", written_by: editor.sub }]);
  await run(editor, "select restore_revision($1)", [first?.id]);
  const post = () =>
    run(editor, "select body, published_at is not null as published from blog_posts where slug = 'tea'");
  expect(await post()).toEqual([{ body: "<p>First</p>", published: true }]);
  await run(editor, "delete from blog_posts where slug = 'tea'");
  expect((await versions()).map(({ body }) => body)).toEqual(["<p>First</p>", "<p>Second</p>", "<p>First</p>"]);
  await run(editor, "select restore_revision($1)", [first?.id]);
  expect(await post()).toEqual([{ body: "<p>First</p>", published: false }]);
  expect(await log("tea")).toContainEqual(expect.objectContaining({ action: "blog.restore", role: "editor" }));
});

test("only administrators and editors store covers and see those of drafts; everybody sees a published one", async () => {
  const add = `insert into storage.objects (bucket_id, name, version, metadata)
    values ('covers', $1, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1, "width": 4, "height": 3}')`;
  const name = () => `${randomUUID()}.jpg`;
  const may = async (attempt: Promise<unknown>) =>
    attempt.then(
      () => true,
      (error: { code: string }) => error.code !== "42501",
    );
  const able = async (attempt: (who: Who) => Promise<boolean>) => {
    const allowed: Who[] = [];
    for (const who of WHO) if (await attempt(who)) allowed.push(who);
    return allowed;
  };
  const staff = ["service", "administrator", "editor"];
  expect(await able((who) => may(run(world.callers[who], add, [name()])))).toEqual(staff);
  await expect(run(world.callers.editor, add, ["index.html"])).rejects.toMatchObject({ code: "42501" });

  const cover = name();
  await run(world.callers.editor, add, [cover]);
  await run(
    world.callers.editor,
    `insert into blog_posts (slug, language, title, summary, body, author, cover)
     values ('covered', 'en', 'Covered', 'It has one.', '', 'Nia', $1)`,
    [cover],
  );
  const see = (who: Who) =>
    run(world.callers[who], "select from storage.objects where name = $1", [cover]).then(({ length }) => length > 0);
  expect(await able(see)).toEqual(staff);
  await run(world.callers.editor, "update blog_posts set published_at = now() where slug = 'covered'");
  // A wall's screen and a letter's link show no blog.
  expect(await able(see)).toEqual(WHO.filter((who) => who !== "wall" && who !== "letter"));
  // Nobody can replace or delete a cover, because an earlier version may name it.
  for (const who of ["administrator", "editor"] as const) {
    expect(await run(world.callers[who], "delete from storage.objects where name = $1 returning 1", [cover])).toEqual(
      [],
    );
    expect(
      await run(world.callers[who], "update storage.objects set version = 'x' where name = $1 returning 1", [cover]),
    ).toEqual([]);
  }
});
