import { createClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import type { Message } from "../../sandboxes/inbox/messages.ts";
import { address } from "../support/outbox.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({ MAIL_WELCOME_BCC: "copies@skies.example", LOG_LEVEL: "fatal" }, undefined, {
  jobs: true,
  sandboxes: true,
});
const password = "a good password, long enough";

/** The official client in a browser with these languages. */
const browser = (languages: string) =>
  createClient(server.url, server.keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
    global: { headers: { "accept-language": languages } },
  });

async function letters(to: string) {
  const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
  return ((await reply.json()) as { messages: Message[] }).messages;
}

async function signUp(email: string, data: Record<string, unknown> = {}, languages = "en") {
  const { data: made, error } = await browser(languages).auth.signUp({ email, password, options: { data } });
  expect(error).toBeNull();
  expect(made.session).not.toBeNull();
}

test("Spec §4: anyone who signs up is sent a welcome, with a hidden copy to the fixed address", async () => {
  const email = address();
  await signUp(email, { full_name: "Ada Rossi" });
  await expect.poll(() => letters(email)).toHaveLength(1);
  const [letter] = await letters(email);
  expect(letter).toMatchObject({ subject: "Welcome to Skies", hidden: ["copies@skies.example"] });
  expect(letter?.text).toContain("Welcome, Ada Rossi");
  expect(letter?.text).toContain("1 GB of dedicated storage");
  expect(letter?.headers).not.toHaveProperty("bcc");
});

describe("the welcome is written", () => {
  test.each([
    ["in the language of the account", { language: "it" }, "en-GB,en", "Ti diamo il benvenuto su Skies"],
    ["else in the browser's", {}, "it-IT,it;q=0.9,en;q=0.5", "Ti diamo il benvenuto su Skies"],
    ["else in English", { language: "de" }, "de", "Welcome to Skies"],
  ])("%s", async (_how, data, languages, subject) => {
    const email = address();
    await signUp(email, data, languages);
    await expect.poll(() => letters(email)).toMatchObject([{ subject }]);
  });
});

test.each([
  ["a message with a link", "You have won, see https://evil.example"],
  ["a header line", "Ada\r\nBcc: victim@example.com"],
  ["an object", { first: "Ada" }],
])("%s given as a name does not get into the email", async (_what, name) => {
  const email = address();
  await signUp(email, { full_name: name });
  await expect.poll(() => letters(email)).toHaveLength(1);
  const [letter] = await letters(email);
  expect(JSON.stringify(letter)).not.toMatch(/evil\.example|victim|bcc["\s]*:|object Object/i);
});

describe("Spec §4: a failure to send the welcome does not fail sign-up", () => {
  const ROW = "select state, attempts, split_part(last_error, ':', 1) as said from private.outbox";
  const said = "Failed to send welcome email";

  test.each([
    ["is unknown to its server", "bounce", "dead"],
    ["is busy", "busy", "waiting"],
  ])("when the address %s", async (_how, name, state) => {
    const email = address(name);
    await signUp(email);
    const row = async () => (await server.db.query(`${ROW} where recipient = $1`, [email])).rows[0];
    await expect.poll(row).toEqual({ state, attempts: 1, said });
  });

  test("when there is no mail server", async () => {
    const alone = await testServer({ SMTP_URL: "smtp://127.0.0.1:9" }, undefined, { jobs: true });
    const email = address();
    const { data } = await alone.client().auth.signUp({ email, password });
    expect(data.session).not.toBeNull();
    const row = async () => (await alone.db.query(ROW)).rows[0];
    await expect.poll(row).toEqual({ state: "waiting", attempts: 1, said });
  });
});

test("a sign-up that is refused sends nothing", async () => {
  const email = address();
  await signUp(email);
  await expect.poll(() => letters(email)).toHaveLength(1);
  const { error } = await browser("en").auth.signUp({ email, password });
  expect(error?.code).toBe("user_already_exists");
  const { rows } = await server.db.query("select 1 from private.outbox where recipient = $1", [email]);
  expect(rows).toHaveLength(1);
});
