import { createHash } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import jsQR from "jsqr";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({ PUBLIC_URL: "https://skies.example" });
const { db } = server;
let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from orders; delete from private.outbox");
  ada = await ownerOf(server, "Grandmother");
});

const FINISHES = ["steel", "gold", "black"];
const bears = (finish: string, more: object = {}) => ({
  name: "Maria Antonietta Ćwiklińska",
  dates: "3 March 1931 – 2024",
  finish,
  language: "it",
  ...more,
});

async function packOf(order: string) {
  const response = await fetch(`${server.url}/functions/v1/engraver-pack`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.keys.secret}` },
    body: JSON.stringify({ order }),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  const files = await unzip(Buffer.from(await response.arrayBuffer()));
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}

/** Returns what a scanner reads from the metal: engraved marks are dark on bright steel, but bright on black metal. */
async function scanned(svg: Buffer, finish: string): Promise<string | undefined> {
  const picture = sharp(svg, { density: 130 }).flatten({ background: "#fff" });
  const seen = finish === "black" ? picture.negate() : picture;
  const { data, info } = await seen.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height, { inversionAttempts: "dontInvert" })?.data;
}

test("a pack has every card at its exact size, and each code scans to its own card's URL", async () => {
  const orders = await Promise.all(
    FINISHES.map((finish) =>
      paidOrder(db, ada.userId, { cards: { quantity: 2, engraving: bears(finish) }, included: 1 }),
    ),
  );
  for (const [at, order] of orders.entries()) {
    const files = await packOf(order.number);
    const cards = (await cardsOf(db, order.id)).filter(({ making }) => making === "engraved");
    expect(cards).toHaveLength(2);
    const manifest = JSON.parse(String(files.get("manifest.json")));
    for (const card of cards) {
      const row = manifest.cards.find(({ code }: { code: string }) => code === card.code);
      expect(row).toMatchObject({
        name: card.name,
        finish: FINISHES[at],
        width_mm: 54,
        height_mm: 86,
        error_correction: "H",
      });
      expect(row.module_mm).toBeGreaterThanOrEqual(0.8);
      const svg = files.get(row.svg) ?? Buffer.alloc(0);
      expect(String(svg)).toContain('width="54mm" height="86mm"');
      expect(String(svg)).not.toContain("<text");
      expect(await scanned(svg, FINISHES[at] ?? "")).toBe(`HTTPS://SKIES.EXAMPLE/C/${card.code}`);
      const pdf = files.get(row.pdf) ?? Buffer.alloc(0);
      expect(String(pdf.subarray(0, 5))).toBe("%PDF-");
      for (const [bytes, sum] of [
        [svg, row.svg_sha256],
        [pdf, row.pdf_sha256],
      ]) {
        expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum);
      }
      expect(files.has(row.slip)).toBe(true);
    }
    expect(String(files.get("manifest.csv")).split("\r\n")).toHaveLength(4);
    expect(String(files.get("manifest.csv"))).toContain("Ada Byron");
  }
});

test("a pack's secret is stored as a hash, changes with each pack, and is absent for assigned cards", async () => {
  const order = await paidOrder(db, ada.userId, { cards: { quantity: 1, engraving: bears("steel") } });
  const assigned = await paidOrder(db, ada.userId, {
    cards: { quantity: 1, engraving: bears("steel", { memory_id: ada.memoryId }) },
  });
  const hashes = async () =>
    (await db.query<{ hash: string }>("select hash from card_secrets")).rows.map(({ hash }) => hash);
  await packOf(order.number);
  const [first] = await hashes();
  expect(first).toMatch(/^\$argon2id\$/);
  await packOf(order.id);
  expect(await hashes()).not.toEqual([first]);
  const files = await packOf(assigned.number);
  expect([...files.keys()].filter((path) => path.startsWith("slips/"))).toEqual([]);
  expect(await hashes()).toHaveLength(1);
  const mails = await db.query("select 1 from private.outbox where template = 'cards-engraved'");
  expect(mails.rows).toHaveLength(2);
});

test("a pack is refused for a disputed order, an unsupported script and a missing address", async () => {
  const headers = { authorization: `Bearer ${server.keys.secret}` };
  const order = await paidOrder(db, ada.userId, { cards: { quantity: 1, engraving: bears("steel") } });
  // A card from before such texts were refused at the sale.
  await db.exec("alter table metal_cards disable trigger refuse_changed_engraving");
  await db.query("update metal_cards set name = '李白' where order_id = $1", [order.id]);
  await db.exec("alter table metal_cards enable trigger refuse_changed_engraving");
  expect(await post(server, "engraver-pack", { order: order.number }, headers)).toMatchObject({
    status: 409,
    body: { code: "not_engravable" },
  });
  await db.query("update card_deliveries set address = null");
  expect(await post(server, "engraver-pack", { order: order.number }, headers)).toMatchObject({
    status: 409,
    body: { code: "no_address" },
  });
  await db.query("update orders set status = 'disputed'");
  expect((await post(server, "engraver-pack", { order: order.number }, headers)).status).toBe(404);
});

test("cards of several orders make one pack, get labels by parcel, and can be sent and returned", async () => {
  const orders = await Promise.all(
    [1, 2].map(() => paidOrder(db, ada.userId, { cards: { quantity: 2, engraving: bears("steel") } })),
  );
  const cards = (await Promise.all(orders.map(({ id }) => cardsOf(db, id)))).flat();
  const chosen = [cards[0], cards[2], cards[3]].map((card) => card?.id ?? "");
  const ask = (name: string, body: object) =>
    fetch(`${server.url}/functions/v1/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${server.keys.secret}` },
      body: JSON.stringify(body),
    });
  const pack = await unzip(Buffer.from(await (await ask("engraver-pack", { cards: chosen })).arrayBuffer()));
  const manifest = JSON.parse(String(pack.find(({ path }) => path === "manifest.json")?.bytes));
  expect(manifest.orders.toSorted()).toEqual(orders.map(({ number }) => number).sort());
  expect(manifest.cards).toHaveLength(3);
  expect(pack.filter(({ path }) => path.startsWith("slips/"))).toHaveLength(3);
  const making = async () =>
    (
      await db.query<{ n: string }>("select making as n from metal_cards where id = any ($1)", [
        cards.map(({ id }) => id),
      ])
    ).rows
      .map(({ n }) => n)
      .sort();
  expect(await making()).toEqual(["engraved", "engraved", "engraved", "ordered"]);

  // Two orders are two parcels. With 23 labels used, the second parcel's label is on another sheet.
  const labels = await ask("card-labels", { cards: chosen, used: 23 });
  expect(labels.headers.get("content-type")).toBe("application/pdf");
  expect((await PDFDocument.load(await labels.arrayBuffer())).getPageCount()).toBe(2);

  // A scan at the bench moves a card that is not yet engraved. Undoing a mistake sends no email.
  expect((await ask("card-status", { of: cards[1]?.code, making: "engraved" })).status).toBe(200);
  expect((await ask("card-status", { of: cards[1]?.code, making: "engraved" })).status).toBe(404);
  expect(await (await ask("card-status", { of: chosen, carrier: "Royal Mail", number: "AB1" })).json()).toMatchObject({
    moved: 3,
  });
  expect((await ask("card-status", { of: [chosen[0]], making: "returned" })).status).toBe(200);
  expect(await making()).toEqual(["engraved", "returned", "sent", "sent"]);
  expect((await ask("card-status", { of: [chosen[0]], number: "AB2" })).status).toBe(200);
  expect((await ask("card-status", { of: [chosen[1]], making: "engraved" })).status).toBe(404);
  expect((await ask("card-status", { of: [chosen[1]], making: "engraved", back: true })).status).toBe(200);
  const mails = await db.query<{ template: string; number: string | null }>(
    "select template, props ->> 'trackingNumber' as number from private.outbox where template like 'cards-%' order by 1, 2",
  );
  expect(mails.rows.map(({ template, number }) => `${template} ${number}`)).toEqual([
    "cards-engraved ",
    "cards-engraved ",
    "cards-engraved ",
    "cards-sent AB1",
    "cards-sent AB1",
    "cards-sent AB2",
  ]);
});
