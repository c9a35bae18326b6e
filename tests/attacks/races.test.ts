import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { emptyDatabase } from "../support/database.ts";
import { ordersOf, PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { newRow, post } from "../support/sharing.ts";
import { belong, memoryOf, say } from "../support/talk.ts";

/** The number of parallel requests for each action that may happen only once. */
const RACERS = 50;

const server = await payingServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;
let ada: Person;
let bob: Person;
let memory: string;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from voucher_uses; delete from vouchers");
  [ada, bob] = await Promise.all([signUpWithPlan(server, "Ada"), signUpWithPlan(server, "Bob")]);
  memory = await memoryOf(ada);
});

const race = <Result>(run: (n: number) => PromiseLike<Result>) =>
  Promise.all(Array.from({ length: RACERS }, (_, n) => run(n)));
/** Headers of the nth request of a person. All requests are alike, but each has its own address. */
const from = (n: number, person: Person) => ({
  authorization: `Bearer ${person.token}`,
  "x-forwarded-for": `203.0.113.${n}`,
});

test("only one person gets the last use of a voucher", async () => {
  await db.query("insert into vouchers (code, percentage, max_uses) values ('LAST', 10, 1)");
  const people = await race((n) => signUp(server, `Racer ${n}`));
  const pages = await race(async (n) => {
    const person = people[n] ?? ada;
    const reply = await server.checkOut(person, { items: [PLAN], voucher_code: "LAST" }, from(n, person));
    return { status: reply.status, body: (await reply.json()) as { url?: string } };
  });
  expect(pages.filter(({ body }) => body.url)).toHaveLength(1);
  expect(pages.filter(({ status }) => status >= 500)).toEqual([]);
  const { rows } = await db.query("select 1 from orders where voucher_code = 'LAST' and status = 'pending'");
  expect(rows).toHaveLength(1);
});

test("fifty simultaneous presses on Pay make one order and one payment page", async () => {
  const pages = await race(async (n) => {
    const reply = await server.checkOut(ada, { items: [PLAN] }, from(n, ada));
    return ((await reply.json()) as { url?: string }).url;
  });
  expect(new Set(pages.filter(Boolean)).size).toBe(1);
  expect(await ordersOf(ada.client)).toHaveLength(1);
});

test("only one person can claim a card", async () => {
  const order = await paidOrder(db, ada.id, {
    cards: { quantity: 1, engraving: { name: "Rosa", dates: "1931 – 2024", finish: "steel", language: "en" } },
  });
  await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  const [card] = await cardsOf(db, order.id);
  const released = await post(server, "release-card", { cardId: card?.id }, { authorization: `Bearer ${ada.token}` });
  const people = await race((n) => signUp(server, `Racer ${n}`));
  const answers = await race((n) =>
    post(server, "claim-card", { code: card?.code, secret: released.body.secret }, from(n, people[n] ?? ada)),
  );
  const winners = answers.flatMap(({ status }, n) => (status === 200 ? [people[n]?.id] : []));
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect((await db.query("select user_id, state from metal_cards where id = $1", [card?.id])).rows).toEqual([
    { user_id: winners[0], state: "claimed" },
  ]);
});

test("an invitation accepted and declined at once ends in one of the two states", async () => {
  const id = randomUUID();
  await ada.client
    .from("invitations")
    .insert({ id, memory_id: memory, email: bob.email, role: "viewer" })
    .throwOnError();
  const answers = await race((n) => bob.client.rpc("answer_invitation", { invitation_id: id, accept: n % 2 === 0 }));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { rows: invitations } = await db.query<{ state: string }>("select state from invitations where id = $1", [id]);
  const { rows: members } = await db.query("select role from memory_members where memory_id = $1", [memory]);
  expect([invitations[0]?.state, members]).toBeOneOf([
    ["accepted", [{ role: "viewer" }]],
    ["declined", []],
  ]);
});

test("an invitation withdrawn during its acceptance adds no member unless it was accepted", async () => {
  const id = randomUUID();
  await ada.client
    .from("invitations")
    .insert({ id, memory_id: memory, email: bob.email, role: "viewer" })
    .throwOnError();
  await race((n) =>
    n % 2 === 0
      ? bob.client.rpc("answer_invitation", { invitation_id: id, accept: true })
      : ada.client.from("invitations").update({ state: "withdrawn" }).eq("id", id),
  );
  const { rows: invitations } = await db.query<{ state: string }>("select state from invitations where id = $1", [id]);
  const { rows: members } = await db.query("select role from memory_members where memory_id = $1", [memory]);
  expect([invitations[0]?.state, members.length]).toBeOneOf([
    ["accepted", 1],
    ["withdrawn", 0],
  ]);
});

test("a memory has exactly one owner during a handover and its withdrawal", async () => {
  await belong(server, memory, bob, "viewer");
  await ada.client.from("handovers").insert({ memory_id: memory, to_user: bob.id }).throwOnError();
  const answers = await race<{ error: unknown; status: number }>((n) =>
    n % 2 === 0
      ? bob.client.rpc("accept_handover", { memory_id: memory })
      : ada.client.from("handovers").delete().eq("memory_id", memory),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(answers.filter(({ error }, n) => n % 2 === 0 && !error).length).toBeLessThanOrEqual(1);
  const { rows } = await db.query<{ user_id: string }>("select user_id from memories where id = $1", [memory]);
  const { rows: members } = await db.query<{ user_id: string }>(
    "select user_id from memory_members where memory_id = $1",
    [memory],
  );
  expect([rows[0]?.user_id, members.map((member) => member.user_id)]).toBeOneOf([
    [ada.id, [bob.id]],
    [bob.id, [ada.id]],
  ]);
});

test("a held contribution is decided once, however many managers act at once", async () => {
  await belong(server, memory, bob, "co-owner");
  const link = { memory_id: memory, rights: "contribute", moderated: true };
  const data = await newRow(ada.client, "share_links", link, "share_id");
  const eve = await signUp(server, "Eve");
  const opened = await post(server, "open-share", { shareId: data.share_id }, { authorization: `Bearer ${eve.token}` });
  const comment = await say(server.client(String(opened.body.token)), memory, "I knew her too.");
  const item = { kind: "comment", id: comment, was: "held" };
  const answers = await race((n) =>
    (n % 2 === 0 ? ada : bob).client.rpc("moderate", { items: [item], decision: n % 3 === 0 ? "hidden" : "shown" }),
  );
  expect(answers.filter(({ error }) => error)).toEqual([]);
  expect(answers.filter(({ data: decided }) => decided.length > 0)).toHaveLength(1);
});

test("a reaction pressed several times counts once", async () => {
  const answers = await race(() => ada.client.from("reactions").insert({ memory_id: memory, kind: "candle" }));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect((await db.query("select 1 from reactions where memory_id = $1", [memory])).rows).toHaveLength(1);
});

test("several simultaneous sign-ups of one address make one account", async () => {
  const email = `${randomUUID()}@example.com`;
  await race(() => server.client().auth.signUp({ email, password: "a good password here" }));
  expect((await db.query("select 1 from auth.users where email = $1", [email])).rows).toHaveLength(1);
});
