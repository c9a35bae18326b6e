import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPayments, type Payments } from "../../sandboxes/payments/payments.ts";
import { connect } from "../../server/database/connect.ts";
import type { Database } from "../../server/database/database.ts";
import { openSecrets } from "../../server/settings/secrets.ts";
import { commissionOf } from "../../shared/commission.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { sized } from "../support/long-tests.ts";
import { ADDRESS, sandboxSettings } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { usageOf } from "../support/plans.ts";
import { newRow } from "../support/sharing.ts";
import { freshName, jpeg, resumable } from "../support/uploads.ts";

const KILLS = sized(2, 20);
/** The killed processes, in turn: a crash of Skies, of its database, and a power cut. */
const VICTIMS = ["server", "database", "both"] as const;
/**
 * Milliseconds after which no further kill follows, however few there were. A start takes seconds on a busy machine.
 */
const PATIENCE_MS = 140_000;
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

let sandbox: Payments;
let server: KillableServer;
let ada: Person;
/** The service key, and a client with it. */
let officeKey: string;
let office: SupabaseClient;
let memoryId: string;
/** The code of the affiliate whose link Ada followed before all her purchases. */
let affiliate: string;

/** Everything that the server has acknowledged, and events of the test. */
const ledger = {
  photos: new Map<string, string>(),
  albums: new Set<string>(),
  /** The number of URLs of each successful resumable upload. */
  urls: [] as number[],
  /** Error responses to requests of resumable uploads. */
  refusals: [] as string[],
  /** The number of successful uploads that were in progress when a process was killed. */
  resumed: 0,
  /** The sessions of the paid payment pages. */
  paid: [] as string[],
  /** The pence of each refund, by its order. */
  refunded: new Map<string, number>(),
  kills: 0,
  steps: 0,
};

beforeAll(async () => {
  sandbox = await openPayments();
  server = await killableServer(sandboxSettings(sandbox));
  sandbox.deliverTo(`${server.url}/functions/v1/payment-webhook`);
  officeKey = (await openSecrets({ dataDir: server.dataDir })).secretKey;
  office = server.client(officeKey);
  ada = await signUp(server, "Ada");
  memoryId = randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  const bob = await signUp(server, "Bob");
  affiliate = (await newRow(bob.client, "affiliates", {}, "code")).code;
});
afterAll(async () => {
  await server?.close();
  await sandbox?.close();
});

/** A photo with random bytes at its end, so that each photo is different. */
const photo = async () => Buffer.concat([await jpeg(), randomBytes(randomInt(20_000, 600_000))]);

async function uploadResumably() {
  const [name, bytes, killsBefore] = [freshName(memoryId), await photo(), ledger.kills];
  const urls = new Set<string | null>();
  const { upload, done } = resumable(
    { url: server.url, token: ada.token, name, bytes },
    {
      chunkSize: 128 * 1024,
      // The client retries for longer than a start takes, however slow the machine is.
      retryDelays: Array.from({ length: 5000 }, () => 100),
      onUploadUrlAvailable: () => urls.add(upload.url),
      onAfterResponse: (request, response) => {
        if (response.getStatus() >= 400) ledger.refusals.push(`${request.getMethod()} ${response.getStatus()}`);
      },
      onChunkComplete: () => {
        ledger.steps += 1;
      },
    },
  );
  upload.start();
  await done.catch((error: Error) => {
    // The client's own error contains its whole connection, which makes it unreadable.
    throw new Error(error.message);
  });
  ledger.photos.set(name, hashOf(bytes));
  ledger.urls.push(urls.size);
  if (ledger.kills > killsBefore) ledger.resumed += 1;
}

async function uploadAtOnce() {
  const [name, bytes] = [freshName(memoryId), await photo()];
  const { error } = await server.client(ada.token).storage.from("media").upload(name, bytes);
  if (!error) ledger.photos.set(name, hashOf(bytes));
  ledger.steps += 1;
}

async function insertRow() {
  const id = randomUUID();
  const { error } = await server.client(ada.token).from("albums").insert({ id, name: "A row" });
  if (!error) ledger.albums.add(id);
  ledger.steps += 1;
}

/** Requests a payment page until there is a response, like a person who presses the button again. */
async function sessionFor(items: object[]): Promise<string> {
  const referral = { affiliate_code: affiliate, affiliate_visited_at: new Date().toISOString() };
  const pages = { success_url: `${server.url}/success`, cancel_url: `${server.url}/cart` };
  for (;;) {
    const reply = await fetch(`${server.url}/.netlify/functions/create-checkout`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${ada.token}`, "x-user-id": ada.id },
      body: JSON.stringify({ items, ...pages, ...referral }),
    }).catch(() => undefined);
    const answer = (await reply?.json().catch(() => undefined)) as { url?: string } | undefined;
    if (answer?.url) return answer.url.split("/").at(-1) ?? "";
    await delay(50);
  }
}

async function buy() {
  const round = ledger.paid.length + 1;
  const plan = round % 2 === 0;
  const items = plan ? [{ plan_id: "skies-memories" }] : [{ product_id: "metal-card", quantity: 1 + (round % 9) }];
  const session = await sessionFor(items);
  ledger.steps += 1;
  const { twice, pays, backwards } = CARD_NUMBERS;
  sandbox.store.pay(session, { number: [twice, pays, backwards][round % 3] ?? pays, name: "Ada", address: ADDRESS });
  ledger.paid.push(session);
  ledger.steps += 1;
  // Sometimes the next purchase begins while events of the last one are pending.
  if (plan) await expect.poll(() => sandbox.waiting(), { interval: 5, timeout: PATIENCE_MS }).toBe(0);
}

/** Refunds a pence of the oldest order that has no refund, like an administrator who presses the button again. */
async function refund() {
  const { data: orders } = await office.from("orders").select("id").not("paid_at", "is", null).order("created_at");
  const order = orders?.find(({ id }) => !ledger.refunded.has(id));
  if (!order) return;
  const body = JSON.stringify({ order: order.id, amount: 1, reason: "Engraved wrongly", request: randomUUID() });
  const headers = { "content-type": "application/json", authorization: `Bearer ${officeKey}` };
  for (;;) {
    const reply = await fetch(`${server.url}/functions/v1/refund-order`, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (reply?.ok) break;
    await delay(50);
  }
  ledger.refunded.set(order.id, 1);
  ledger.steps += 1;
}

test("a server that is killed repeatedly keeps everything that it acknowledged", async () => {
  let over = false;
  const keepDoing = async (work: () => Promise<void>) => {
    while (!over) {
      await work();
      // While the server is down, every attempt fails at once, and the start needs the processor.
      await delay(50);
    }
  };
  const busy = Promise.all([uploadResumably, uploadResumably, uploadAtOnce, insertRow, buy, refund].map(keepDoing));
  const killing = async () => {
    const end = Date.now() + PATIENCE_MS;
    while (ledger.kills < KILLS && Date.now() < end) {
      const enough = ledger.steps + randomInt(1, 12);
      await expect.poll(() => ledger.steps, { interval: 2, timeout: 180_000 }).toBeGreaterThanOrEqual(enough);
      // At a random moment within the next step, instead of always just after one.
      await delay(randomInt(0, 40));
      const victim = VICTIMS[ledger.kills % VICTIMS.length] ?? "both";
      ledger.kills += 1;
      await server.kill(victim);
    }
    // Kills may follow each other so quickly that a purchase has to restart after each.
    const done = () => ledger.paid.length > ledger.kills / 4 && ledger.resumed > 0 && ledger.photos.size > 0;
    await expect
      .poll(() => done() && ledger.albums.size > 0 && ledger.refunded.size > 0, { timeout: 180_000 })
      .toBe(true);
  };
  await Promise.race([killing(), busy]).finally(() => {
    over = true;
  });
  await busy;
  if (ledger.kills < KILLS) console.info(`This machine is busy: ${ledger.kills} kills in ${PATIENCE_MS / 1000} s`);

  expect(ledger.photos.size).toBeGreaterThan(0);
  expect(ledger.albums.size).toBeGreaterThan(0);
  expect(ledger.resumed).toBeGreaterThan(0);
  expect(ledger.paid.length).toBeGreaterThan(ledger.kills / 4);
  expect(ledger.refunded.size).toBeGreaterThan(0);
  // A second URL would mean that the bytes sent before the kill were lost.
  expect(new Set(ledger.urls), ledger.refusals.join()).toEqual(new Set([1]));

  const media = server.client(ada.token).storage.from("media");
  for (const [name, hash] of ledger.photos) {
    const { data, error } = await media.download(name);
    if (error) throw new Error(`${name} was not downloaded`, { cause: error });
    expect(hashOf(Buffer.from(await data.arrayBuffer())), name).toBe(hash);
  }
  const { data: albums } = await server.client(ada.token).from("albums").select("id").throwOnError();
  expect(albums.map(({ id }) => id)).toEqual(expect.arrayContaining([...ledger.albums]));

  // The provider repeats an event until it is acknowledged.
  await expect.poll(() => sandbox.waiting(), { timeout: 180_000 }).toBe(0);
  await server.stop();
}, 300_000);

// Inspects the stopped server's data for faults that no response shows.
test("a server killed at any byte leaves nothing incomplete", async () => {
  await withData(async (db) => {
    const objects = await db.query<{ name: string; version: string; size: number; media: string | null }>(
      `select o.name, o.version, (o.metadata ->> 'size')::bigint as size, m.object_name as media
       from storage.objects o full join media m on m.id = o.id`,
    );
    for (const { name, version, size, media } of objects.rows) {
      expect(media).toBe(name);
      const file = await stat(join(server.dataDir, "storage/objects/media", version));
      expect(file.size, name).toBe(size);
    }
    const unfinished = await db.query<{ id: string; size: number }>(
      "select id, size from storage.uploads where finished_at is null",
    );
    for (const { id, size } of unfinished.rows) {
      const part = await stat(join(server.dataDir, "storage/parts", id)).catch(() => ({ size: 0 }));
      expect(part.size, "complete bytes without a row").toBeLessThan(size);
    }
    expect((await usageOf(db, ada.id)).stored).toBe(objects.rows.reduce((sum, { size }) => sum + size, 0));
  });
});

test("a server killed at any step of a payment records one order, receipt, commission and refund for each", async () => {
  await withData(async (db) => {
    const one = async (text: string) => (await db.query<{ n: number }>(text)).rows[0]?.n;
    const { paid } = ledger;
    const orders = await db.query<{ id: string; session_id: string; total: number; refunded: number; plan: boolean }>(
      `select id, session_id, total, refunded, exists (select from order_items i where i.order_id = o.id and i.kind = 'plan') as plan
       from orders o where paid_at is not null`,
    );
    expect(orders.rows.map(({ session_id }) => session_id).sort()).toEqual([...paid].sort());
    for (const { id, session_id, total, refunded } of orders.rows) {
      expect(total).toBe(sandbox.store.current(session_id).amount_total);
      expect(refunded).toBe(ledger.refunded.get(id) ?? 0);
    }
    expect(sandbox.store.refunds.size).toBe(ledger.refunded.size);
    const receipts =
      "select count(*)::int as n, count(distinct dedupe_key)::int as each from private.outbox where template = 'receipt'";
    expect((await db.query(receipts)).rows).toEqual([{ n: paid.length, each: paid.length }]);
    const commissions = await db.query<{ total: number; refunded: number; amount: number }>(
      "select o.total, o.refunded, c.amount from commissions c join orders o on o.id = c.order_id",
    );
    expect(commissions.rows).toHaveLength(paid.length);
    for (const { amount, ...payment } of commissions.rows) expect(amount).toBe(commissionOf(payment));
    const plans = orders.rows.filter(({ plan }) => plan).length;
    expect(await one("select count(*)::int as n from user_subscriptions where order_id is not null")).toBe(plans);
    expect(await one("select count(*)::int as n from metal_cards")).toBe(
      await one(
        `select coalesce(sum(case i.kind when 'card' then i.quantity else (i.terms ->> 'included_cards')::integer end), 0)::int as n
         from order_items i join orders o on o.id = i.order_id and o.paid_at is not null`,
      ),
    );
  });
});

async function withData(look: (db: Database) => Promise<void>) {
  const db = await connect({ dataDir: server.dataDir });
  await look(db).finally(() => db.close());
}
