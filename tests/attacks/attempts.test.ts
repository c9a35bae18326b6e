import { beforeEach, describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { emptyDatabase } from "../support/database.ts";
import { PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { type Answer, type Owner, open, ownerOf, post, setPin } from "../support/sharing.ts";

const server = await payingServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from vouchers; delete from auth.attempts");
});

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `198.51.100.${n + 1}`);
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe("a memory with several cards", () => {
  let ada: Owner;
  let shareIds: string[];
  const locks = async () =>
    (
      await db.query<{ locked: boolean }>(
        "select locked_until is not null as locked from share_links where memory_id = $1",
        [ada.memoryId],
      )
    ).rows.map(({ locked }) => locked);

  beforeEach(async () => {
    ada = await ownerOf(server, "Grandmother");
    await setPin(server, ada, "0417");
    const order = await paidOrder(db, ada.userId, { cards: { quantity: 4 } });
    for (const { id } of await cardsOf(db, order.id)) {
      await asCaller(db, ada.caller, (tx) =>
        tx.query("update metal_cards set memory_id = $2 where id = $1", [id, ada.memoryId]),
      );
    }
    const { rows } = await db.query<{ share_id: string }>("select share_id from share_links where memory_id = $1", [
      ada.memoryId,
    ]);
    shareIds = rows.map(({ share_id }) => share_id);
    expect(shareIds).toHaveLength(5);
  });

  test("allows five PIN attempts in all, across parallel requests, cards and addresses", async () => {
    const from = addresses(50);
    const answers = await times(50, (n) => open(server, shareIds[n % 5] ?? "", `${1000 + n}`, from[n]));
    const checked = answers.filter(({ status }) => status === 401);
    expect(checked).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
    expect(await locks()).toEqual([true, true, true, true, true]);
    const right = await times(5, (n) => open(server, shareIds[n] ?? "", "0417", `192.0.2.${n + 1}`));
    expect(right.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  });

  test("causes one notice when attempts at several cards lock it", async () => {
    for (let n = 0; n < 5; n++) await open(server, shareIds[n] ?? "", "9999");
    const { rows } = await db.query("select link_id from notices where kind = 'locked'");
    expect(rows).toEqual([{ link_id: ada.linkId }]);
  });

  test("a correct PIN refunds its own attempt only, and a new PIN unlocks every card", async () => {
    for (let n = 0; n < 4; n++) await open(server, shareIds[n] ?? "", "9999");
    expect((await open(server, shareIds[4] ?? "", "0417")).status).toBe(200);
    expect((await open(server, shareIds[0] ?? "", "9999")).body).toMatchObject({ triesLeft: 0 });
    expect(await locks()).toEqual([true, true, true, true, true]);
    await setPin(server, ada, "0418");
    expect(await locks()).toEqual([false, false, false, false, false]);
    expect((await open(server, shareIds[3] ?? "", "0418")).status).toBe(200);
  });

  test("a link with its own PIN has its own count, and a removed card's attempts still count", async () => {
    const { rows } = await asCaller(db, ada.caller, (tx) =>
      tx.query<{ id: string; share_id: string }>(
        "insert into share_links (memory_id) values ($1) returning id, share_id",
        [ada.memoryId],
      ),
    );
    const own = { ...ada, linkId: rows[0]?.id ?? "" };
    await setPin(server, own, "0417");
    for (let n = 0; n < 4; n++) await open(server, shareIds[n] ?? "", "9999");
    expect((await open(server, rows[0]?.share_id ?? "", "9999", "192.0.2.1")).body).toMatchObject({ triesLeft: 4 });
    await db.query(
      "delete from share_links where id = (select id from share_links where for_card and memory_id = $1 limit 1)",
      [ada.memoryId],
    );
    expect((await open(server, ada.shareId, "9999", "192.0.2.1")).body).toMatchObject({ triesLeft: 0 });
  });

  test("a locked link gives the remaining time in Retry-After", async () => {
    for (let n = 0; n < 5; n++) await open(server, ada.shareId, "9999");
    const response = await fetch(`${server.url}/functions/v1/open-share`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ shareId: ada.shareId, pin: "0417" }),
    });
    const { lockedUntil } = (await response.json()) as { lockedUntil: string };
    const seconds = Number(response.headers.get("retry-after"));
    expect(Math.abs(seconds - (new Date(lockedUntil).getTime() - Date.now()) / 1000)).toBeLessThan(5);
  });
});

test("an activation code allows five attempts in all, by many people and addresses at once", async () => {
  const ada = await signUp(server, "Ada");
  const order = await paidOrder(db, ada.id, { cards: { quantity: 1 } });
  await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  const [card] = await cardsOf(db, order.id);
  await post(server, "release-card", { cardId: card?.id }, { authorization: `Bearer ${ada.token}` });
  const people = await times(3, (n) => signUp(server, `Stranger ${n}`));
  const spellings = [
    card?.code ?? "",
    (card?.code ?? "").toLowerCase(),
    `${card?.code.slice(0, 4)}-${card?.code.slice(4)}`,
  ];
  const answers = await times<Answer>(30, (n) =>
    post(
      server,
      "claim-card",
      { code: spellings[n % 3], secret: `00000000${10 + n}` },
      { authorization: `Bearer ${people[n % 3]?.token}`, "x-forwarded-for": `198.51.100.${n + 1}` },
    ),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
});

describe("voucher codes", () => {
  /** Endpoints that accept a code, by name. */
  const waysToTry: Record<string, (person: Person, code: string, address: string) => Promise<Response>> = {
    apply_voucher: (person, code, address) => ask("/rest/v1/rpc/apply_voucher", person, { code_text: code }, address),
    "create-checkout": (person, code, address) =>
      ask("/.netlify/functions/create-checkout", person, { items: [PLAN], voucher_code: code }, address),
    "create-checkout-session": (person, code, address) =>
      ask("/functions/v1/create-checkout-session", person, { items: [PLAN], voucher_code: code }, address),
  };
  const ask = (path: string, person: Person, body: object, address: string) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${person.token}`,
        "x-user-id": person.id,
        "x-forwarded-for": address,
        apikey: server.keys.publishable,
      },
      body: JSON.stringify(body),
    });
  const guessEverywhere = (count: number, from: (n: number) => [Person, string]) =>
    times(count, async (n) => {
      const [person, address] = from(n);
      const tries = Object.values(waysToTry);
      return (await tries[n % tries.length]?.(person, `WRONG-${n}`, address))?.status ?? 0;
    });

  test("twenty wrong attempts from one address lock it at every endpoint, even for a correct code", async () => {
    await db.query("insert into vouchers (code, percentage) values ('RIGHT', 10)");
    const people = await times(3, (n) => signUp(server, `Guesser ${n}`));
    const [ada, bob] = people;
    if (!ada || !bob) throw new Error("Nobody signed up");
    const statuses = await guessEverywhere(60, (n) => [people[n % 3] ?? ada, "203.0.113.1"]);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
    for (const tried of Object.values(waysToTry)) {
      const refused = await tried(ada, "RIGHT", "203.0.113.1");
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
  });

  test("a person has twenty wrong attempts in all, from many addresses at once", async () => {
    const ada = await signUp(server, "Ada");
    const from = addresses(60);
    const statuses = await guessEverywhere(60, (n) => [ada, from[n] ?? ""]);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
  });

  test("a correct code uses up no attempt at the checkout", async () => {
    await db.query("insert into vouchers (code, percentage) values ('RIGHT', 10)");
    const ada = await signUp(server, "Ada");
    for (let n = 0; n < 22; n++) {
      expect((await waysToTry["create-checkout"]?.(ada, "RIGHT", "203.0.113.1"))?.status).toBe(200);
    }
  });
});
