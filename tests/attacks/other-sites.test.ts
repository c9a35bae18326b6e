import { beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../../server/functions/endpoints.ts";
import { emptyDatabase } from "../support/database.ts";
import { payingServer } from "../support/payments.ts";
import { signUp } from "../support/people.ts";
import { open, ownerOf, post, setPin } from "../support/sharing.ts";

const server = await payingServer({
  TRUST_PROXY: "127.0.0.1",
  AUTH_REDIRECT_URLS: "https://app.example/back",
  TURNSTILE_SITE_KEY: "1x00",
  TURNSTILE_SECRET_KEY: "1x00",
});
const { db } = server;
const ownHost = new URL(server.url).host;

beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from auth.attempts; delete from private.share_attempts");
});

const OLD_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0";

/** Headers that browsers send for other sites' pages. */
const FOREIGN: Record<string, Record<string, string>> = {
  "a new browser": { "sec-fetch-site": "cross-site", origin: "https://other.example" },
  "a new browser, without an origin": { "sec-fetch-site": "cross-site" },
  "a page beside this one": { "sec-fetch-site": "same-site", origin: "https://notes.skies.example" },
  "another port": { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" },
  "an older browser": { origin: "https://other.example" },
  "a sandboxed frame": { origin: "null" },
  "a browser that sends only a referrer": { referer: "https://other.example/page" },
  "an old browser's form": { "user-agent": OLD_BROWSER, "content-type": "text/plain" },
};

/** Headers of the site's own pages, and of programs. */
const OWN: Record<string, Record<string, string>> = {
  "a new browser": { "sec-fetch-site": "same-origin", origin: `http://${ownHost}` },
  "an older browser": { origin: `http://${ownHost}` },
  "an older browser behind a proxy that ends TLS": { origin: `https://${ownHost}` },
  "an old browser's script": { "user-agent": OLD_BROWSER, "content-type": "application/json" },
  "an app that sign-ins may return to": { "sec-fetch-site": "cross-site", origin: "https://app.example" },
  "a program": {},
};

const KEY = "k".repeat(43);
/** One request for each counter, by path. */
const COUNTED: [path: string, body: object][] = [
  ["/functions/v1/open-share", { shareId: "unknown", pin: "0000" }],
  ["/.netlify/functions/open-share", { shareId: "unknown", passphrase: "a wrong passphrase" }],
  ["/functions/v1/open-card", { code: "ZZZZZZZZZZZZ" }],
  ["/functions/v1/claim-card", { code: "ZZZZZZZZZZZZ", secret: "0000000000" }],
  ["/functions/v1/create-checkout", { items: [], voucher_code: "WRONG" }],
  ["/functions/v1/create-checkout-session", { items: [], voucher_code: "WRONG" }],
  ["/functions/v1/sign-guest", { guestKey: KEY, name: "Zia", language: "en", timeZone: "UTC" }],
  ["/functions/v1/affiliate-click", { code: "WRONG", visit: "7d9f3c5e-7a4f-4d0a-9b1d-0f6a3f5f2b11" }],
  ["/functions/v1/open-wall", { wallId: "w".repeat(22) }],
  ["/functions/v1/open-letter", { key: "0".repeat(64) }],
  ["/functions/v1/decline-invitation", { shareId: "unknown", invitation: "0".repeat(64) }],
  ["/functions/v1/invitation-again", { shareId: "unknown", language: "en" }],
  ["/functions/v1/forget-device", {}],
  ["/functions/v1/verify-turnstile", { token: "" }],
  ["/functions/v1/report", {}],
  ["/functions/v1/picture-request", {}],
  ["/functions/v1/send-email", {}],
  ["/rest/v1/rpc/apply_voucher", { code_text: "WRONG" }],
  ["/auth/v1/token?grant_type=password", { email: "ada@example.com", password: "a wrong password" }],
  ["/auth/v1/token?grant_type=refresh_token", { refresh_token: "wrong" }],
  ["/auth/v1/signup", { email: "ada@example.com", password: "a good password" }],
  ["/auth/v1/verify", { type: "recovery", email: "ada@example.com", token: "000000" }],
  ["/auth/v1/verify/link", { type: "recovery", token: "wrong" }],
  ["/auth/v1/verify/link/state", { type: "recovery", token: "wrong" }],
  ["/auth/v1/otp", { email: "ada@example.com" }],
  ["/auth/v1/recover", { email: "ada@example.com" }],
  ["/auth/v1/resend", { type: "signup", email: "ada@example.com" }],
  ["/auth/v1/factors/7d9f3c5e-7a4f-4d0a-9b1d-0f6a3f5f2b11/verify", { challenge_id: "x", code: "000000" }],
];

const send = (path: string, body: object, headers: Record<string, string>, bearer?: string) =>
  fetch(server.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: server.keys.publishable,
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      "x-forwarded-for": "203.0.113.1",
      ...headers,
    },
    body: JSON.stringify(body),
  });

const counts = async () => {
  const { rows } = await db.query<{ count: number }>(
    "select (select count(*) from auth.attempts) + (select count(*) from private.share_attempts) as count",
  );
  return Number(rows[0]?.count);
};

test("every endpoint for the site's own pages is tried", () => {
  const own = Object.entries(endpoints).flatMap(([name, { ownPagesOnly }]) => (ownPagesOnly ? [name] : []));
  const tried = COUNTED.flatMap(([path]) => /^\/functions\/v1\/(.+)/.exec(path)?.[1] ?? []);
  expect(own.sort()).toEqual(tried.sort());
});

describe("a page of another site", () => {
  test.each(COUNTED)("uses up no attempts of its visitor's network at %s", async (path, body) => {
    const { token } = await signUp(server, "Mallory");
    await db.exec("delete from auth.attempts");
    for (const [sender, headers] of Object.entries(FOREIGN)) {
      for (const bearer of [undefined, token]) {
        const { status } = await send(path, body, headers, bearer);
        // The account API refuses the bodies of forms.
        expect([403, ...(sender.endsWith("form") ? [400, 415] : [])], sender).toContain(status);
      }
    }
    expect(await counts()).toBe(0);
  });

  test.each(COUNTED)("is distinguished from the site's own pages and from programs at %s", async (path, body) => {
    for (const [sender, headers] of Object.entries(OWN)) {
      const answer = (await (await send(path, body, headers)).json()) as { code?: string; error_code?: string };
      expect(answer.code, sender).not.toBe("foreign_page");
      expect(answer.error_code, sender).not.toBe("foreign_page");
    }
  });

  test.each<[string, Record<string, string>]>([
    ["its pictures open", { "sec-fetch-dest": "image" }],
    ["its frames open", { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" }],
    ["a page beside this one opens in pictures", { "sec-fetch-site": "same-site", "sec-fetch-dest": "image" }],
    ["it prefetches", { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-purpose": "prefetch" }],
    ["it prerenders", { "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender" }],
    ["it prefetches in an older browser", { "sec-fetch-dest": "empty", purpose: "prefetch" }],
  ])("cannot guess or count by addresses that %s", async (_how, sent) => {
    const headers = { "sec-fetch-site": "cross-site", "x-forwarded-for": "203.0.113.1", ...sent };
    const addresses = [
      "/auth/v1/verify?type=recovery&token=wrong",
      "/auth/v1/authorize?provider=google",
      "/auth/v1/callback?state=wrong&code=wrong",
      `/rest/v1/rpc/apply_voucher?code_text=WRONG&apikey=${server.keys.publishable}`,
      "/functions/v1/open-share?shareId=unknown&pin=0000",
      "/c/ZZZZZZZZZZZZ",
      "/shared/unknown",
    ];
    for (const address of addresses) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const { status } = await fetch(server.url + address, { method, headers, redirect: "manual" });
        expect(status, `${method} ${address}`).toBeLessThan(500);
        if (method === "GET" && /authorize|callback/.test(address)) expect(status, address).toBe(403);
      }
    }
    expect(await counts()).toBe(0);
  });

  test("cannot use up sign-ins by forms in its frames, and a program that looks like a picture is refused", async () => {
    const form = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe", origin: "https://other.example" };
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const { status } = await fetch(`${server.url}/auth/v1/callback`, {
        method: "POST",
        headers: { ...form, "content-type": type },
        body: "state=wrong&code=wrong",
        redirect: "manual",
      });
      expect([403, 415]).toContain(status);
    }
    expect(await counts()).toBe(0);
    // Without the headers of another site's page it is counted.
    const address = `${server.url}/auth/v1/authorize?provider=google`;
    await fetch(address, { headers: { "sec-fetch-dest": "image" }, redirect: "manual" });
    expect(await counts()).toBe(1);
  });
});

test("a voucher's code cannot be checked by GET, which counts nothing", async () => {
  await db.query("insert into vouchers (code, percentage) values ('RIGHT', 10)");
  const reply = await fetch(`${server.url}/rest/v1/rpc/apply_voucher?code_text=RIGHT`, {
    headers: { apikey: server.keys.publishable },
  });
  expect([reply.status, await reply.json()]).toEqual([405, expect.objectContaining({ code: "PGRST101" })]);
});

test("wrong codes of cards and wrong invitations do not use up a network's PINs", async () => {
  const ada = await ownerOf(server, "Grandmother");
  await setPin(server, ada, "0417");
  const from = { "x-forwarded-for": "203.0.113.1" };
  const card = (n: number) => post(server, "open-card", { code: `00000000${1000 + n}` }, from);
  for (let n = 0; n < 20; n++) await card(n);
  expect((await card(20)).status).toBe(429);
  for (let n = 0; n < 25; n++) {
    const wrong = await post(server, "open-share", { shareId: ada.shareId, invitation: "0".repeat(64) }, from);
    expect(wrong).toMatchObject({ status: 401, body: { code: "invitation_unknown" } });
  }
  expect((await open(server, ada.shareId, "0417")).status).toBe(200);
});
