import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../../scripts/setup/processes.mjs";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { LONG } from "../support/long-tests.ts";
import { ADDRESS, PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { newRow } from "../support/sharing.ts";

const server = await payingServer();
const DAY = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

let ada: Person;
let bob: Person;
let code: string;

const join = async (person: Person) => {
  const data = await newRow(person.client, "affiliates", { user_id: person.id }, "id", "code");
  return data as { id: string; code: string };
};

beforeAll(async () => {
  [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
  ({ code } = await join(ada));
});

/** Orders a plan with this referral. Resolves to the order and its affiliate code. */
async function attributed(buyer: Person, affiliate_code: unknown, affiliate_visited_at: unknown) {
  const session = await server.sessionFor(buyer, [PLAN], { affiliate_code, affiliate_visited_at });
  const { data } = await server
    .service()
    .from("orders")
    .select("id, affiliate_code")
    .eq("session_id", session)
    .single()
    .throwOnError();
  return { session, order: data?.id as string, code: data?.affiliate_code as string | null };
}

describe("an order's referral", () => {
  test.each([
    ["counts within thirty days, also with a code in lower case", () => [code.toLowerCase(), ago(29)], true],
    ["does not count after thirty days", () => [code, ago(30.1)], false],
    ["does not count with a visit in the future", () => [code, ago(-1)], false],
    ["does not count with an unknown code", () => ["ZZZZZZZZ", ago(1)], false],
    ["does not count without a date", () => [code, undefined], false],
    ["does not count when malformed, and does not stop the order", () => [{ $ne: 1 }, "yesterday"], false],
  ] as const)("%s", async (_how, credentials, expected) => {
    const [affiliate, visited] = credentials();
    expect((await attributed(bob, affiliate, visited)).code).toBe(expected ? code : null);
  });

  test("does not count for an affiliate's own order", async () => {
    expect((await attributed(ada, code, ago(1))).code).toBeNull();
  });

  test("does not count while the affiliate is paused or after they left", async () => {
    const carol = await signUp(server, "Carol");
    const theirs = await join(carol);
    for (const state of ["paused", "left"]) {
      await server.service().from("affiliates").update({ state }).eq("id", theirs.id).throwOnError();
      expect((await attributed(bob, theirs.code, ago(1))).code).toBeNull();
    }
  });
});

describe("clicks", () => {
  const click = (body: object, bearer = server.keys.publishable) =>
    fetch(`${server.url}/functions/v1/affiliate-click`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    });
  const counted = async (person: Person) => {
    const { data } = await person.client.from("affiliate_clicks").select("*").throwOnError();
    return data;
  };

  test("count once per browser and day, never for the affiliate's own, and the response is always empty", async () => {
    const dora = await signUp(server, "Dora");
    const theirs = await join(dora);
    const visit = randomUUID();
    const today = () => new Date().toISOString().slice(0, 10);
    const first = today();
    for (const body of [
      { code: theirs.code, visit },
      { code: theirs.code, visit },
      { code: theirs.code.toLowerCase(), visit },
      { code: "ZZZZZZZZ", visit: randomUUID() },
    ]) {
      const reply = await click(body);
      expect([reply.status, await reply.json()]).toEqual([200, {}]);
    }
    expect((await click({ code: theirs.code, visit: randomUUID() }, dora.token)).status).toBe(200);
    expect(await counted(dora)).toEqual([
      { affiliate_id: theirs.id, day: expect.toBeOneOf([first, today()]), clicks: 1 },
    ]);
    await click({ code: theirs.code, visit: randomUUID() });
    // Midnight may pass between the two clicks.
    const total = async () => (await counted(dora)).reduce((sum, { clicks }) => sum + clicks, 0);
    expect(await total()).toBe(2);
    // The same browser a day later.
    await server.db.query("update auth.attempts set ends_at = ends_at - interval '1 day'");
    await click({ code: theirs.code, visit });
    expect(await total()).toBe(3);
    expect(await counted(bob)).toEqual([]);
  });

  test("are refused when malformed, and when there are too many from one address", async () => {
    expect((await click({ code })).status).toBe(400);
    expect((await click({ code, visit: "x" })).status).toBe(400);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => click({ code: "ZZZZZZZZ", visit: randomUUID() })),
    );
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(5);
  });
});

describe("a sale", () => {
  const receipt = (person: Person | undefined, order: string, language = "en") =>
    fetch(`${server.url}/functions/v1/order-receipt`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${person?.token ?? server.keys.publishable}`,
      },
      body: JSON.stringify({ order, language }),
    });

  test("earns a commission that does not reveal the order, and only its buyer gets the receipt", async () => {
    const erin = await signUp(server, "Erin");
    const { order, session } = await attributed(erin, code, ago(1));
    expect((await receipt(erin, order)).status).toBe(404);
    server.sandbox.store.pay(session, { name: "Erin", address: ADDRESS, number: CARD_NUMBERS.pays });
    const commissions = () => ada.client.from("commissions").select("currency, base, amount, held").throwOnError();
    await expect
      .poll(async () => (await commissions()).data)
      .toEqual([{ currency: "GBP", base: 4500, amount: 1350, held: false }]);
    const all = await ada.client.from("commissions").select("order_id");
    expect(all.error?.code).toBe("42501");
    expect((await ada.client.from("orders").select("id").eq("id", order)).data).toEqual([]);
    expect((await erin.client.from("commissions").select("id")).data).toEqual([]);

    for (const [who, status] of [
      [erin, 200],
      [ada, 404],
      [undefined, 401],
    ] as const) {
      expect((await receipt(who, order)).status).toBe(status);
    }
    const pdf = await receipt(erin, order, "it");
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(pdf.headers.get("content-disposition")).toMatch(/^attachment; .*Skies SK-/);
    expect(new TextDecoder().decode((await pdf.arrayBuffer()).slice(0, 5))).toBe("%PDF-");
  });
});

describe("a payout", () => {
  const payout = { email: "", amount: "1.00", currency: "gbp" };

  /** Runs `npm run admin`. Resolves to its output and whether it succeeded. */
  const admin = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, PORT: new URL(server.url).port, DATA_DIR: server.dataDir };
    const { code, output } = await run(process.execPath, ["scripts/admin.mjs", ...args], { quiet: true, env });
    return { ok: code === 0, output };
  };

  test("never exceeds the payable balance, and the administrator's command can undo it", async () => {
    const early = await server.service().rpc("record_payout", { ...payout, email: ada.email });
    expect([early.status, early.error?.hint]).toEqual([409, "over_balance"]);
    await server.db.query("update commissions set payable_at = now()");
    const { data } = await server.service().rpc("payable_affiliates").throwOnError();
    expect(data).toEqual([{ email: ada.email, currency: "GBP", payable: 1350 }]);

    const { ok, output } = await admin("payout", ada.email, "10.5", "gbp", "by", "bank");
    expect(ok, output).toBe(true);
    expect(output).toContain("£10.50 is recorded, and £3.00 can still be paid out.");
    const payouts = async () => (await ada.client.from("payouts").select("amount, reference").throwOnError()).data;
    expect(await payouts()).toEqual([{ amount: 1050, reference: "by bank" }]);
    const more = await admin("payout", ada.email, "3.01", "GBP");
    expect(more).toEqual({ ok: false, output: "The server refused: Only 3.00 GBP can be paid out now.\n" });
    expect(await admin("payout-undo", output.trim().split(" ").at(-1) ?? "")).toMatchObject({ ok: true });
    expect(await payouts()).toEqual([]);
  });

  test.runIf(LONG)("the administrator's commands also find orders, refund them and create vouchers", async () => {
    const { rows } = await server.db.query<{ number: string }>(
      "select number from orders where status = 'paid' limit 1",
    );
    const number = rows[0]?.number ?? "";
    expect((await admin("orders", number)).output).toMatch(
      new RegExp(`^${number} \\d{4}-\\d\\d-\\d\\d paid £45\\.00 `),
    );
    expect(await admin("refund", number, "5", "A", "scratch")).toEqual({
      ok: true,
      output: `5.00 of ${number} goes back.\n`,
    });
    await expect.poll(async () => (await admin("orders", number)).output).toContain("(£5.00 refunded)");
    expect(await admin("refund", number, "41", "Too much")).toMatchObject({ ok: false });
    const { output } = await admin("campaign", "Fair", "20", "3", "FAIR");
    expect(output.trim().split("\n")).toEqual([1, 2, 3].map(() => expect.stringMatching(/^FAIR-[0-9A-Z]{12}$/)));
  });

  test("cannot be recorded by an affiliate or a visitor", async () => {
    for (const client of [ada.client, server.client()]) {
      expect((await client.rpc("payable_affiliates")).error).not.toBeNull();
      const { error } = await client.rpc("record_payout", { ...payout, email: ada.email });
      expect(error).not.toBeNull();
    }
    const { data } = await ada.client.from("affiliates").select("id").single().throwOnError();
    const own = await ada.client.from("payouts").insert({ affiliate_id: data?.id, currency: "GBP", amount: 1 });
    expect(own.error?.code).toBe("42501");
  });
});
