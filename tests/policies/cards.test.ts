import { describe, expect, test } from "vitest";
import { outline } from "../../server/cards/outlines.ts";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { isEngravable } from "../../shared/card-face.ts";
import { ADDRESS, type Card, cardsOf, paidOrder } from "../support/cards.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);
const refused = { code: "42501" };
const cardWords = (more: object = {}) => ({
  name: "Rosa Bianchi",
  dates: "1931 – 2024",
  finish: "gold",
  language: "it",
  ...more,
});
const card = async (id: string) => (await db.query<Card>("select * from metal_cards where id = $1", [id])).rows[0];
const first = async (bought: Parameters<typeof paidOrder>[2]) => {
  const order = await paidOrder(db, world.ada, bought);
  const [made] = await cardsOf(db, order.id);
  if (!made) throw new Error("No card");
  return made;
};

describe("a text that cannot be engraved", () => {
  const notEngravable = { code: "PT400", hint: "not_engravable" };

  test("is the same for the database, the browser and the typeface", async () => {
    const letters = Array.from({ length: 0xffff }, (_, at) => String.fromCharCode(at + 1)).filter(
      (letter) => !/\p{Cs}/u.test(letter),
    );
    const { rows } = await db.query<{ letter: string }>(
      "select letter from unnest($1::text[]) letter where private.is_engravable(letter)",
      [letters],
    );
    const engravable = rows.map(({ letter }) => letter);
    expect(engravable.length).toBeGreaterThan(900);
    expect(engravable).toEqual(letters.filter(isEngravable));
    for (const letter of engravable) outline(letter, 6);
  });

  test("Spec §9: never gets onto a card, whoever changes it", async () => {
    const { id } = await first({ included: 1 });
    for (const name of ["漢字", "Rosa 🌹", "مريم", "Rosa\nBianchi", "क"]) {
      await expect(
        run(world.callers.owner, "update metal_cards set name = $2 where id = $1", [id, name]),
      ).rejects.toMatchObject(notEngravable);
      await expect(
        run(world.callers.owner, "select personalise_card($1, $2, $3)", [id, cardWords({ name }), ADDRESS]),
      ).rejects.toMatchObject(notEngravable);
      await expect(db.query("update metal_cards set dates = $2 where id = $1", [id, name])).rejects.toMatchObject(
        notEngravable,
      );
    }
    await run(world.callers.owner, "select personalise_card($1, $2, $3)", [id, cardWords({ name: "Ελένη" }), ADDRESS]);
    expect(await card(id)).toMatchObject({ name: "Ελένη", making: "ordered" });
  });

  test("cannot be put into the cart", async () => {
    const add = (engraving: object | null) =>
      run(world.callers.owner, "insert into cart_items (product_id, item) values ('metal-card', $1)", [{ engraving }]);
    for (const name of ["漢字", "x".repeat(49)]) {
      await expect(add(cardWords({ name }))).rejects.toMatchObject(notEngravable);
    }
    await add(cardWords());
    await add(null);
    await db.query("delete from cart_items");
  });
});

describe("a paid order", () => {
  test("makes its cards once, however often it is marked as paid; a plan's cards wait for their text", async () => {
    const order = await paidOrder(db, world.ada, { cards: { quantity: 2, engraving: cardWords() }, included: 3 });
    await db.query("update orders set status = 'disputed' where id = $1", [order.id]);
    await db.query("update orders set status = 'paid' where id = $1", [order.id]);
    const cards = await cardsOf(db, order.id);
    expect(cards.map(({ making, name }) => `${making} ${name}`).sort()).toEqual([
      "ordered Rosa Bianchi",
      "ordered Rosa Bianchi",
      "waiting ",
      "waiting ",
      "waiting ",
    ]);
    expect(new Set(cards.map(({ code }) => code)).size).toBe(5);
    expect(
      await run(world.callers.owner, "select address from card_deliveries where order_id = $1", [order.id]),
    ).toHaveLength(5);
  });

  test("assigns cards to a published memory of the buyer only", async () => {
    const mine = await first({ cards: { quantity: 1, engraving: cardWords({ memory_id: world.memoryId }) } });
    const bobs = await first({ cards: { quantity: 1, engraving: cardWords({ memory_id: world.bobsMemoryId }) } });
    const draft = await first({ cards: { quantity: 1, engraving: cardWords({ memory_id: world.draftId }) } });
    const odd = await first({
      cards: { quantity: 1, engraving: { name: "x".repeat(90), finish: "wood", memory_id: "1' or" } },
    });
    expect([mine, bobs, draft, odd].map(({ state }) => state)).toEqual([
      "assigned",
      "unclaimed",
      "unclaimed",
      "unclaimed",
    ]);
    // Its text is never cut: the card waits for another one.
    expect(odd).toMatchObject({ name: "", making: "waiting" });
  });

  test("takes a delivery address that arrives later, and keeps it once it is set", async () => {
    const order = await paidOrder(db, world.ada, { included: 1 });
    const address = async () =>
      (await db.query<{ address: unknown }>("select address from card_deliveries where order_id = $1", [order.id]))
        .rows[0]?.address;
    await db.query("update card_deliveries set address = null where order_id = $1", [order.id]);
    await db.query("update orders set delivery = $2 where id = $1", [order.id, ADDRESS]);
    expect(await address()).toEqual(ADDRESS);
    await db.query("update orders set delivery = '{}' where id = $1", [order.id]);
    expect(await address()).toEqual(ADDRESS);
  });

  test("cancels cards that are not engraved, and their links, after a refund, and keeps engraved ones", async () => {
    const order = await paidOrder(db, world.ada, {
      cards: { quantity: 2, engraving: cardWords({ memory_id: world.memoryId }) },
    });
    const [a, b] = await cardsOf(db, order.id);
    await db.query("update metal_cards set making = 'engraved' where id = $1", [b?.id]);
    await db.query("update orders set status = 'refunded', refunded = total where id = $1", [order.id]);
    const [after, secondCard] = await cardsOf(db, order.id);
    expect([after?.making, after?.link_id, secondCard?.making, secondCard?.state]).toEqual([
      "cancelled",
      null,
      "engraved",
      "assigned",
    ]);
    expect((await db.query("select from share_links where id = $1", [a?.link_id])).rows).toHaveLength(0);
  });
});

describe("a card of a holder", () => {
  test("opens a memory of its holder by its own link, with the memory's PIN", async () => {
    const { id } = await first({ cards: { quantity: 1, engraving: cardWords() } });
    await run(world.callers.owner, "update metal_cards set memory_id = $2 where id = $1", [id, world.memoryId]);
    const assigned = await card(id);
    expect(assigned).toMatchObject({ state: "assigned", memory_id: world.memoryId });
    const links = await db.query("select label, asks, memory_id from share_links where id = $1", [assigned?.link_id]);
    expect(links.rows).toEqual([
      { label: `Carta ${assigned?.code.slice(-4)}`, asks: "pin", memory_id: world.memoryId },
    ]);
  });

  test("cannot be assigned to another person's memory or to a draft", async () => {
    const { id } = await first({ cards: { quantity: 1, engraving: cardWords() } });
    const assign = (memory: string) =>
      run(world.callers.owner, "update metal_cards set memory_id = $2 where id = $1", [id, memory]);
    await expect(assign(world.bobsMemoryId)).rejects.toMatchObject(refused);
    await expect(assign(world.draftId)).rejects.toMatchObject({ code: "PT409", hint: "draft" });
  });

  test("loses its old link when it is reassigned; the link is closed while the card is blocked", async () => {
    const { id, link_id: old } = await first({
      cards: { quantity: 1, engraving: cardWords({ memory_id: world.memoryId }) },
    });
    const link = async () => {
      const { rows } = await db.query<{ id: string; revoked: boolean }>(
        "select id, revoked_at is not null as revoked from share_links where id in ($1, (select link_id from metal_cards where id = $2))",
        [old, id],
      );
      return rows;
    };
    await run(world.callers.owner, "update metal_cards set blocked = 'lost' where id = $1", [id]);
    expect(await link()).toEqual([{ id: old, revoked: true }]);
    await run(world.callers.owner, "update metal_cards set blocked = null where id = $1", [id]);
    expect(await link()).toEqual([{ id: old, revoked: false }]);
    const other = await run(world.callers.owner, "insert into memories (person_name) values ('Other') returning id");
    await run(world.callers.owner, "update metal_cards set memory_id = $2 where id = $1", [
      id,
      (other[0] as { id: string }).id,
    ]);
    const [renewed, ...rest] = await link();
    expect(rest).toEqual([]);
    expect(renewed?.id).not.toBe(old);
    await db.query("delete from memories where id = $1", [(other[0] as { id: string }).id]);
    expect(await card(id)).toMatchObject({ state: "claimed", memory_id: null, link_id: null });
  });

  test("has no holder and no text, and is cancelled, once its holder's account is deleted", async () => {
    const { rows } = await db.query<{ id: string }>(
      "insert into auth.users (id, email) values (gen_random_uuid(), 'leaving@example.com') returning id",
    );
    const order = await paidOrder(db, rows[0]?.id ?? "", { cards: { quantity: 1, engraving: cardWords() } });
    await db.query("delete from auth.users where id = $1", [rows[0]?.id]);
    const [orphanCard] = await cardsOf(db, order.id);
    expect(orphanCard).toMatchObject({ user_id: null, name: "", making: "cancelled" });
  });
});

describe("a card without its text", () => {
  test("is ordered once its text and address are given", async () => {
    const { id } = await first({ included: 1 });
    await run(world.callers.owner, "select personalise_card($1, $2, $3)", [
      id,
      cardWords({ memory_id: world.memoryId }),
      ADDRESS,
    ]);
    expect(await card(id)).toMatchObject({ making: "ordered", name: "Rosa Bianchi", state: "assigned" });
    await run(world.callers.owner, "select personalise_card($1, $2, $3)", [id, cardWords({ name: "Rosa" }), ADDRESS]);
    expect(await card(id)).toMatchObject({ making: "ordered", name: "Rosa", state: "claimed" });
  });

  test("cannot be changed by another person, or by its holder once it is engraved", async () => {
    const { id } = await first({ included: 1 });
    await expect(
      run(world.callers.stranger, "select personalise_card($1, $2, $3)", [id, cardWords(), ADDRESS]),
    ).rejects.toMatchObject(refused);
    await expect(
      run(world.callers.owner, "update metal_cards set making = 'sent' where id = $1", [id]),
    ).rejects.toMatchObject(refused);
    await db.query("update metal_cards set making = 'engraved' where id = $1", [id]);
    for (const [text, values] of [
      ["update metal_cards set name = 'X' where id = $1", [id]],
      ["update card_deliveries set address = '{}' where card_id = $1", [id]],
      ["select personalise_card($1, $2, $3)", [id, cardWords(), ADDRESS]],
    ] as const) {
      await expect(run(world.callers.owner, text, [...values])).rejects.toMatchObject({ hint: "engraved" });
    }
  });
});

describe("administrators", () => {
  const admin = (): Caller => ({ role: "authenticated", sub: world.bob, aal: "aal2", app_metadata: { role: "admin" } });

  test("change the production state of every card; a self-assigned role has no effect", async () => {
    const { id } = await first({ cards: { quantity: 1, engraving: cardWords() } });
    const forged: Caller = { role: "authenticated", sub: world.bob, user_metadata: { role: "admin" } };
    const text = "update metal_cards set making = 'engraved' where id = $1 returning id";
    expect(await run(forged, text, [id])).toEqual([]);
    expect(await run(admin(), text, [id])).toEqual([{ id }]);
  });

  test("and fulfilment change the production state; fulfilment changes nothing else, and support nothing", async () => {
    const { id } = await first({ cards: { quantity: 1, engraving: cardWords() } });
    const { fulfilment, support } = world.callers;
    const engrave = "update metal_cards set making = 'engraved' where id = $1 returning id";
    expect(await run(support, engrave, [id])).toEqual([]);
    expect(await run(fulfilment, engrave, [id])).toEqual([{ id }]);
    for (const change of ["name = 'X'", "blocked = 'lost'", "claimed_at = now()"]) {
      await expect(run(fulfilment, `update metal_cards set ${change} where id = $1`, [id])).rejects.toMatchObject(
        refused,
      );
    }
    await run(fulfilment, "update metal_cards set making = 'sent' where id = $1", [id]);
    await run(fulfilment, "update metal_cards set making = 'returned' where id = $1", [id]);
    expect(
      await run(support, "select making, returned_at is not null as back from metal_cards where id = $1", [id]),
    ).toEqual([{ making: "returned", back: true }]);
  });

  test("alone read the cards to engrave; an owner cannot send their emails", async () => {
    const order = await paidOrder(db, world.ada, { cards: { quantity: 1, engraving: cardWords() } });
    const asks = (caller: Caller) =>
      run(caller, "select code from private.cards_to_engrave(array[$1])", [order.number]);
    expect(await asks(admin())).toHaveLength(1);
    expect(await asks(world.callers.owner)).toEqual([]);
    await run(
      world.callers.owner,
      "select private.enqueue_card_email(array(select id from metal_cards), 'sent', 'https://evil.example')",
    );
    expect((await db.query("select from private.outbox where template = 'cards-sent'")).rows).toEqual([]);
  });
});

test("nobody but the service can read the hash of a card's activation code", async () => {
  const { service, ...others } = world.callers;
  for (const [who, caller] of Object.entries(others)) {
    await expect(run(caller, "select hash from card_secrets"), who).rejects.toMatchObject(refused);
  }
  expect((await run(service, "select hash from card_secrets")).length).toBeGreaterThan(0);
});
