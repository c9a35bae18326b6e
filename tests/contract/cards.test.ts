import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { scanCard } from "../../server/cards/scanned-card.ts";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { attemptLimiter } from "../../server/sharing/share-attempts.ts";
import { type Card, cardsOf, paidOrder } from "../support/cards.ts";
import { emptyDatabase } from "../support/database.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { type Answer, type Owner, open, post, setPin } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://skies.example" });
const { db } = server;

let ada: Owner;
let gina: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from private.outbox");
  ada = await joined("Grandmother");
  gina = await joined("Grandfather");
});

/** Creates a person with an account, a session and one memory. */
async function joined(name: string): Promise<Owner> {
  const { id, token } = await signUp(server, name);
  const caller: Caller = { role: "authenticated", sub: id };
  const { rows } = await db.query<{ memory: string; link: string; share: string }>(
    "insert into memories as m (user_id, person_name) values ($1, $2) returning id as memory, share_id(m) as share",
    [id, name],
  );
  const links = await db.query<{ id: string }>(
    "update share_links set shared_at = now() where memory_id = $1 returning id",
    [rows[0]?.memory],
  );
  return {
    userId: id,
    token,
    caller,
    memoryId: rows[0]?.memory ?? "",
    shareId: rows[0]?.share ?? "",
    linkId: links.rows[0]?.id ?? "",
  };
}

const bearer = (person?: Owner): Record<string, string> => (person ? { authorization: `Bearer ${person.token}` } : {});
const scan = (code: string, person?: Owner, address = "203.0.113.1") =>
  post(server, "open-card", { code }, { ...bearer(person), "x-forwarded-for": address });
const claim = (code: string, secret: string, person: Owner, address = "203.0.113.1") =>
  post(server, "claim-card", { code, secret }, { ...bearer(person), "x-forwarded-for": address });
const service = { authorization: `Bearer ${server.keys.secret}` };
const as = (person: Owner, text: string, values: unknown[]) =>
  asCaller(db, person.caller, (tx) => tx.query(text, values));
const seen = async ({ body }: Answer) => {
  const claims = JSON.parse(Buffer.from(String(body.token).split(".")[1] ?? "", "base64url").toString());
  return asCaller(db, claims, async (tx) => (await tx.query("select id from memories")).rows.length);
};

const ENGRAVING = { name: "Rosa Bianchi", dates: "1931 – 2024", finish: "steel", language: "en" };

/** Creates an engraved card of Ada's and hands it over. Resolves to it with the secret of its pack. */
async function packed(engraving: object = ENGRAVING): Promise<Card & { secret: string }> {
  const order = await paidOrder(db, ada.userId, { cards: { quantity: 1, engraving: { ...engraving } } });
  await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  const [card] = await cardsOf(db, order.id);
  if (!card) throw new Error("No card");
  const answer = await post(server, "release-card", { cardId: card.id }, bearer(ada));
  return { ...card, secret: String(answer.body.secret) };
}

describe("an unclaimed card", () => {
  test("is reported as unclaimed to anyone who scans it, however the code is spelled", async () => {
    const { code } = await packed();
    const written = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    expect(await scan(written)).toEqual({ status: 200, body: { state: "unclaimed", yours: false } });
  });

  test("is claimed with its pack's secret, assigned, and opens the memory behind its PIN", async () => {
    const { code, secret } = await packed();
    await setPin(server, gina, "0417");
    const claimed = await claim(code, secret.toLowerCase(), gina);
    expect(claimed).toEqual({ status: 200, body: { cardId: expect.any(String) } });
    expect(await scan(code)).toMatchObject({ status: 404, body: { code: "card_unknown" } });
    await as(gina, "update metal_cards set memory_id = $2 where id = $1", [claimed.body.cardId, gina.memoryId]);

    const scanned = await scan(code);
    expect(scanned).toMatchObject({ body: { state: "assigned", yours: false } });
    const shareId = String(scanned.body.shareId);
    expect(shareId).not.toBe(gina.shareId);
    expect(await open(server, shareId)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    expect(await seen(await open(server, shareId, "0417"))).toBe(1);
    // Neither the buyer nor the secret has a right to the card any more.
    expect((await as(ada, "select id from metal_cards", [])).rows).toEqual([]);
    expect(await claim(code, secret, ada)).toMatchObject({ status: 401, body: { code: "secret_wrong" } });
  });

  test("goes to one person when two claim it at once", async () => {
    const { code, secret } = await packed();
    const answers = await Promise.all([
      claim(code, secret, ada, "203.0.113.1"),
      claim(code, secret, gina, "203.0.113.2"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers[0]?.status === 200 ? ada : gina;
    const { rows } = await db.query<Card>("select user_id, state from metal_cards where code = $1", [code]);
    expect(rows).toEqual([{ user_id: winner.userId, state: "claimed" }]);
  });

  test("can be claimed only by a signed-in person", async () => {
    const { code, secret } = await packed();
    expect((await post(server, "claim-card", { code, secret })).status).toBe(401);
  });
});

describe("wrong secrets", () => {
  test("lock a card after five, even for the right secret, and an unknown card alike", async () => {
    const { code, secret } = await packed();
    const tries = async (secret: string, address: string) => {
      const answers: [number, unknown, unknown][] = [];
      for (let i = 0; i < 6; i++) {
        const { status, body } = await claim(secret, "0000000000", gina, address);
        answers.push([status, body.code, body.triesLeft ?? null]);
      }
      return answers;
    };
    const forKnown = await tries(code, "203.0.113.1");
    expect(forKnown).toEqual(await tries("ZZZZZZZZZZZZ", "203.0.113.2"));
    expect(forKnown.map(([status]) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await claim(code, secret, gina, "203.0.113.3")).toMatchObject({ status: 429, body: { code: "locked" } });
  });
});

describe("scanning by a stranger", () => {
  test("Spec §8: gets the same answer for an unknown, lost, disabled, unassigned, not engraved or cancelled card", async () => {
    const unknown = await scan("ZZZZZZZZZZZZ", undefined, "203.0.113.9");
    expect(unknown.status).toBe(404);
    for (const [text, at] of [
      ["update metal_cards set memory_id = $2, blocked = 'lost' where code = $1", 1],
      ["update metal_cards set memory_id = $2, blocked = 'disabled' where code = $1", 2],
      ["update metal_cards set memory_id = null, claimed_at = now() where code = $1 and $2::uuid is not null", 3],
      ["update metal_cards set claimed_at = null, making = 'ordered' where code = $1 and $2::uuid is not null", 4],
      ["update metal_cards set making = 'cancelled' where code = $1 and $2::uuid is not null", 5],
      ["update metal_cards set memory_id = $2, making = 'ordered' where code = $1", 6],
      ["update metal_cards set memory_id = $2, making = 'waiting' where code = $1", 7],
    ] as const) {
      const { code } = await packed();
      await db.query("update metal_cards set memory_id = $2 where code = $1", [code, ada.memoryId]);
      await db.query(text, [code, ada.memoryId]);
      expect(await scan(code, undefined, `203.0.113.${at}`)).toEqual(unknown);
      expect(await scan(code, gina, `203.0.113.1${at}`)).toEqual(unknown);
      if (at < 4 || at > 5) expect(await scan(code, ada)).toMatchObject({ status: 200, body: { yours: true } });
    }
  });

  test("Spec §8: opens the memory once the card is engraved, also if it came back by post, and not before", async () => {
    const engraving = { ...ENGRAVING, memory_id: ada.memoryId };
    const order = await paidOrder(db, ada.userId, { cards: { quantity: 1, engraving } });
    const code = String((await cardsOf(db, order.id))[0]?.code);
    const page = scanCard({ db, cardAttempts: attemptLimiter(db, randomBytes(32), "card") });
    const opens = async () => [(await scan(code)).status, await page(code, "203.0.113.80")];
    expect(await scan(code, ada)).toMatchObject({ body: { state: "assigned", yours: true } });
    expect(await opens()).toEqual([404, undefined]);
    for (const making of ["engraved", "sent", "returned"]) {
      await db.query("update metal_cards set making = $2 where code = $1", [code, making]);
      expect(await opens()).toEqual([200, expect.any(String)]);
    }
  });

  test("is locked for an address after twenty unknown codes, even for valid ones", async () => {
    const { code } = await packed();
    for (let i = 0; i < 20; i++) await scan(`00000000${1000 + i}`, undefined, "203.0.113.77");
    expect(await scan(code, undefined, "203.0.113.77")).toMatchObject({ status: 429, body: { code: "locked" } });
    expect((await scan(code)).status).toBe(200);
  });

  test("by the card page counts nothing, and opens nothing while the address is locked", async () => {
    const { code } = await packed();
    await db.query("update metal_cards set memory_id = $2 where code = $1", [code, ada.memoryId]);
    const cardAttempts = attemptLimiter(db, randomBytes(32), "card");
    const page = scanCard({ db, cardAttempts });
    const { shareId } = (await scan(code)).body;
    expect(await page("%".repeat(50), "203.0.113.78")).toBeUndefined();
    for (let i = 0; i < 25; i++) expect(await page(`00000000${1000 + i}`, "203.0.113.78")).toBeUndefined();
    expect(await page(code.toLowerCase(), "203.0.113.78")).toBe(shareId);
    for (let i = 0; i < 20; i++) await cardAttempts.begin(`card 00000000${1000 + i}`, "203.0.113.78");
    expect(await page(code, "203.0.113.78")).toBeUndefined();
    expect(await page(code, "203.0.113.79")).toBe(shareId);
  });

  test("never locks a card that is scanned often", async () => {
    const { code } = await packed();
    for (let i = 0; i < 25; i++) expect((await scan(code)).status).toBe(200);
  });
});

describe("a card that was assigned", () => {
  const assigned = async () => {
    const order = await paidOrder(db, ada.userId, {
      cards: { quantity: 1, engraving: { ...ENGRAVING, memory_id: ada.memoryId } },
    });
    await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
    const [card] = await cardsOf(db, order.id);
    if (!card) throw new Error("No card");
    return card;
  };
  const another = async () => {
    await db.query(
      "insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-memories', now() + interval '1 year')",
      [ada.userId],
    );
    const { rows } = await db.query<{ id: string }>(
      "insert into memories (user_id, person_name) values ($1, 'Other') returning id",
      [ada.userId],
    );
    return rows[0]?.id;
  };

  test("can be reassigned to another memory, which ends access to the first", async () => {
    const { id, code } = await assigned();
    const { shareId } = (await scan(code)).body;
    const before = await open(server, String(shareId));
    expect(await seen(before)).toBe(1);
    await as(ada, "update metal_cards set memory_id = $2 where id = $1", [id, await another()]);
    expect(await seen(before)).toBe(0);
    expect((await open(server, String(shareId))).body.token).toBeUndefined();
    const after = (await scan(code)).body.shareId;
    expect(after).not.toBe(shareId);
    expect((await open(server, String(after))).body.memoryId).not.toBe(ada.memoryId);
  });

  test("asks for the secret of its memory's first link, whenever that is set, changed or removed", async () => {
    const { code } = await assigned();
    const shareId = String((await scan(code)).body.shareId);
    const before = await open(server, shareId);
    await setPin(server, ada, "0417");
    expect(await seen(before)).toBe(0);
    expect(await open(server, shareId)).toMatchObject({ status: 401, body: { code: "pin_required" } });
    const entered = await open(server, shareId, "0417");
    expect(await seen(entered)).toBe(1);
    const passphrase = { linkId: ada.linkId, passphrase: "her blue bicycle" };
    expect((await post(server, "share-pin", passphrase, bearer(ada))).status).toBe(200);
    expect(await seen(entered)).toBe(0);
    expect((await open(server, shareId, "0417")).status).toBe(401);
    const [ofCard] = (await db.query("select id from share_links where share_id = $1", [shareId])).rows;
    const readAgain = await post(server, "read-share-pin", { linkId: ofCard?.id }, bearer(ada));
    expect(readAgain.body).toEqual({ secret: "her blue bicycle" });
    // Also after the first link is reset.
    await as(ada, "select remake_link($1)", [ada.linkId]);
    await setPin(server, ada, null);
    expect(await seen(await open(server, shareId))).toBe(1);
  });

  test.each([
    ["tribute", null, "comment"],
    ["event", null, "contribute"],
    ["tribute", "view", "view"],
    ["tribute", "contribute", "contribute"],
    ["event", "upload", "contribute"],
  ])("of a %s whose main link gives %s gives %s", async (kind, ofFirst, rights) => {
    await db.query("update memories set kind = $2 where id = $1", [ada.memoryId, kind]);
    const first =
      "update share_links set shared_at = case when $2::text is null then null else now() end, rights = coalesce($2, 'view')";
    await db.query(`${first} where id = $1`, [ada.linkId, ofFirst]);
    const { code } = await assigned();
    expect((await open(server, String((await scan(code)).body.shareId))).body).toMatchObject({ rights });
  });

  test("shares no PIN with links that were made separately", async () => {
    const { rows } = await db.query<{ share_id: string }>(
      "insert into share_links (memory_id, label) values ($1, 'Cousins') returning share_id",
      [ada.memoryId],
    );
    await setPin(server, ada, "0417");
    expect((await open(server, String(rows[0]?.share_id))).status).toBe(200);
  });

  test("ends existing access while it is blocked, and opens again when unblocked", async () => {
    const { id, code } = await assigned();
    const { shareId } = (await scan(code)).body;
    const before = await open(server, String(shareId));
    await as(ada, "update metal_cards set blocked = 'lost' where id = $1", [id]);
    expect(await seen(before)).toBe(0);
    expect((await scan(code)).status).toBe(404);
    expect((await open(server, String(shareId))).body).toMatchObject({ code: "revoked" });
    await as(ada, "update metal_cards set blocked = null where id = $1", [id]);
    expect(await scan(code)).toMatchObject({ body: { state: "assigned", shareId } });
  });

  test("keeps working when its link is remade, and becomes unassigned when the link is deleted", async () => {
    const { code, link_id } = await assigned();
    await as(ada, "select remake_link($1)", [link_id]);
    const { shareId } = (await scan(code)).body;
    expect((await open(server, String(shareId))).status).toBe(200);
    await as(ada, "delete from share_links where id = $1", [link_id]);
    expect(await scan(code, ada)).toMatchObject({ body: { state: "claimed", yours: true } });
  });

  test("can be released with a new secret once it was sent, and only by its owner; the newest secret alone counts", async () => {
    const { id, code } = await assigned();
    await db.query("update metal_cards set making = 'ordered' where id = $1", [id]);
    expect((await post(server, "release-card", { cardId: id }, bearer(ada))).status).toBe(404);
    await db.query("update metal_cards set making = 'sent' where id = $1", [id]);
    expect((await post(server, "release-card", { cardId: id }, bearer(gina))).status).toBe(404);
    const release = async () => String((await post(server, "release-card", { cardId: id }, bearer(ada))).body.secret);
    const [first, second] = [await release(), await release()];
    expect(second).not.toBe(first);
    expect(await scan(code)).toMatchObject({ body: { state: "unclaimed" } });
    expect(await claim(code, first, gina)).toMatchObject({ status: 401, body: { code: "secret_wrong" } });
    expect((await claim(code, second, gina)).status).toBe(200);
    expect((await post(server, "release-card", { cardId: id }, bearer(ada))).status).toBe(404);
  });
});

describe("for administrators", () => {
  test("an engraver's pack and a card status are refused to all others", async () => {
    const order = await paidOrder(db, ada.userId, { cards: { quantity: 1, engraving: ENGRAVING } });
    for (const headers of [{}, bearer(ada)] as Record<string, string>[]) {
      expect((await post(server, "engraver-pack", { order: order.number }, headers)).status).toBe(404);
      expect([401, 404]).toContain((await post(server, "card-status", { of: order.number }, headers)).status);
    }
  });

  test("the buyer of sent cards gets one email with the tracking", async () => {
    const order = await paidOrder(db, ada.userId, { cards: { quantity: 2, engraving: ENGRAVING } });
    await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
    const sent = { of: order.number, carrier: "Royal Mail", number: "AB1", url: "https://track.example/AB1" };
    expect(await post(server, "card-status", sent, service)).toEqual({ status: 200, body: { moved: 2 } });
    expect((await post(server, "card-status", sent, service)).status).toBe(404);
    const { rows } = await db.query<{ props: object }>(
      "select props from private.outbox where template = 'cards-sent'",
    );
    expect(rows).toEqual([
      {
        props: {
          number: order.number,
          cards: 2,
          cardsUrl: "https://skies.example/cards",
          carrier: "Royal Mail",
          trackingNumber: "AB1",
          trackingUrl: "https://track.example/AB1",
        },
      },
    ]);
  });
});
