import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enqueuedTo, newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const trusting = { TRUST_PROXY: "loopback" };
const server = await testServer({ AUTH_MAIL_INTERVAL: "60", ...trusting });
const beside = await testServer({ AUTH_MAIL_INTERVAL: "60", ...trusting }, server);
const newEmail = () => `${randomUUID()}@example.com`;
let networks = 0;
/** Returns an address that no other test uses, because attempts are counted by address. */
const newNetwork = () => {
  networks += 1;
  return `198.18.${networks >> 8}.${networks & 255}`;
};

/** Sends a request from an address that the test chooses, through a trusted proxy. */
async function post(path: string, body: object, from = "198.51.100.7", on = server) {
  const reply = await fetch(`${on.url}/auth/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as { error_code?: string; msg?: string };
  return {
    status: reply.status,
    code: answer.error_code,
    message: answer.msg,
    retryAfter: reply.headers.get("retry-after"),
  };
}
const signIn = (email: string, password: string, from?: string, on = server) =>
  post("/token?grant_type=password", { email, password }, from, on);
const tooMany = { status: 429, code: "over_request_rate_limit" };

test("guesses at one account from many addresses, in two processes, are limited together", async () => {
  const ada = await signUp(server, "Ada");
  await ada.client.auth.signOut();
  const outcomes = [];
  for (let n = 0; n < 21; n++) {
    outcomes.push((await signIn(ada.email, `guess ${n}`, newNetwork(), n % 2 ? server : beside)).code);
  }
  expect(new Set(outcomes.slice(0, 20))).toEqual(new Set(["invalid_credentials"]));
  expect(outcomes[20]).toBe("over_request_rate_limit");
  // The right password is refused like a wrong one.
  expect(await signIn(ada.email, ada.password, newNetwork())).toMatchObject(tooMany);
});

test("guesses sent all at once count as well", async () => {
  const ada = await signUp(server, "Ada");
  await ada.client.auth.signOut();
  const guesses = Array.from({ length: 30 }, (_, n) => signIn(ada.email, `guess ${n}`, newNetwork()));
  const codes = (await Promise.all(guesses)).map(({ code }) => code);
  expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(20);
});

test("guesses at an unknown account are limited in the same way", async () => {
  const email = newEmail();
  for (let n = 0; n < 20; n++) await signIn(email, `guess ${n}`, newNetwork());
  expect(await signIn(email, "guess", newNetwork())).toMatchObject(tooMany);
});

test("strangers' guesses do not lock a person out where they have signed in before", async () => {
  const ada = await signUp(server, "Ada");
  expect(await signIn(ada.email, ada.password, "203.0.113.20")).toMatchObject({ status: 200 });
  for (let n = 0; n < 21; n++) await signIn(ada.email, `guess ${n}`, newNetwork());
  expect(await signIn(ada.email, ada.password, newNetwork())).toMatchObject(tooMany);
  expect(await signIn(ada.email, ada.password, "203.0.113.20")).toMatchObject({ status: 200 });
});

test("successful sign-ins do not count towards the limit", async () => {
  const ada = await signUp(server, "Ada");
  for (let n = 0; n < 22; n++) expect((await signIn(ada.email, ada.password, newNetwork())).status).toBe(200);
});

test("an address that guesses at many accounts is limited, across processes and restarts", async () => {
  const strict = await testServer({ SIGN_IN_LIMIT: "3", ...trusting }, server);
  const other = await testServer({ SIGN_IN_LIMIT: "3", ...trusting }, server);
  const from = newNetwork();
  for (let n = 0; n < 3; n++) expect((await signIn(newEmail(), "guess", from, n ? strict : other)).status).toBe(400);
  const refused = await signIn(newEmail(), "guess", from, other);
  expect(refused).toMatchObject(tooMany);
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  const restarted = await testServer({ SIGN_IN_LIMIT: "3", ...trusting }, server);
  expect(await signIn(newEmail(), "guess", from, restarted)).toMatchObject(tooMany);
  expect((await signIn(newEmail(), "guess", newNetwork(), strict)).status).toBe(400);
});

test("all addresses of one IPv6 network count together", async () => {
  const strict = await testServer({ SIGN_IN_LIMIT: "2", ...trusting }, server);
  const network = "2001:db8:1:7";
  for (const host of ["1", "2"]) await signIn(newEmail(), "guess", `${network}::${host}`, strict);
  expect(await signIn(newEmail(), "guess", `${network}:a:b:c:d`, strict)).toMatchObject(tooMany);
});

test.each<[string, string, (email: string) => object]>([
  ["a magic link", "/otp", (email) => ({ email })],
  ["a new password", "/recover", (email) => ({ email })],
  ["another email", "/resend", (email) => ({ email, type: "signup" })],
])(
  "asking for %s twice within a minute is refused, for known and unknown addresses alike",
  async (_what, path, body) => {
    const ada = await signUp(server, "Ada");
    for (const email of [ada.email, newEmail()]) {
      expect((await post(path, body(email))).status).toBe(200);
      const again = await post(path, body(email), newNetwork(), beside);
      expect(again).toMatchObject({ status: 429, code: "over_email_send_rate_limit" });
      expect(again.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    }
  },
);

test("a phone gets one message a minute, and its refusal says so", async () => {
  const phone = "390255512345";
  expect((await post("/otp", { phone })).status).toBe(200);
  expect(await post("/otp", { phone })).toMatchObject({ status: 429, code: "over_sms_send_rate_limit" });
});

test("an address gets ten emails an hour, from wherever they are requested", async () => {
  const patient = await testServer({}, server);
  const email = newEmail();
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await post("/otp", { email }, newNetwork(), patient)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect(await enqueuedTo(server, email)).toHaveLength(10);
});

test("wrong codes count across emails", async () => {
  const patient = await testServer({}, server);
  const email = newEmail();
  const codes = [];
  for (let letter = 0; letter < 5; letter++) {
    await post("/otp", { email }, newNetwork(), patient);
    for (let n = 0; n < 5; n++)
      codes.push((await post("/verify", { email, token: "none", type: "email" }, newNetwork())).code);
  }
  expect(codes.filter((code) => code === "otp_expired")).toHaveLength(20);
  const { code } = await newestTo(server, email);
  expect(await post("/verify", { email, token: code, type: "email" }, newNetwork())).toMatchObject(tooMany);
});

test("stored attempts contain no email or IP addresses", async () => {
  const { rows } = await server.db.query("select * from auth.attempts");
  expect(rows.length).toBeGreaterThan(10);
  expect(JSON.stringify(rows)).not.toMatch(/example\.com|198\.|203\.0|2001:/);
});
