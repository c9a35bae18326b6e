import fastify from "fastify";
import { expect, test } from "vitest";
import { enqueueMail, enqueueSms } from "../../server/jobs/outbox.ts";
import { testInbox } from "../support/inbox.ts";
import { address } from "../support/outbox.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({}, undefined, { jobs: true, sandboxes: true });
const base = `${server.url}/sandbox/inbox`;

const received = async (to: string) => {
  const reply = await fetch(`${base}/messages?to=${encodeURIComponent(to)}`);
  return ((await reply.json()) as { messages: { id: string; subject: string; text: string }[] }).messages;
};

/** Enqueues a welcome email and waits until it is in the inbox. */
async function welcomed(to: string) {
  const props = { name: "Ada", startUrl: "https://x.example/memory/new" };
  await enqueueMail(server.db, { template: "welcome", language: "en", to, props });
  await expect.poll(() => received(to)).toHaveLength(1);
  const [email] = await received(to);
  return email?.id ?? "";
}

test("enqueued emails and text messages arrive only for their recipient", async () => {
  const to = address();
  await welcomed(to);
  expect(await received(to)).toMatchObject([{ subject: "Welcome to Skies" }]);
  expect(await received(to.toUpperCase())).toHaveLength(1);
  await enqueueSms(server.db, {
    template: "phone-code",
    language: "en",
    to: "+441632960001",
    props: { code: "654321", minutes: 10 },
  });
  await expect.poll(() => received("+441632960001")).toMatchObject([{ text: expect.stringContaining("654321") }]);
  expect(await received(address())).toEqual([]);
});

test("the page lists a message and shows its email, text and headers", async () => {
  const to = address();
  const id = await welcomed(to);
  const page = async (path: string) => (await fetch(`${base}${path}`)).text();
  expect(await page("")).toContain(to);
  expect(await page("/")).toContain(to);
  expect(await page(`/${id}`)).toContain(`src="/sandbox/inbox/${id}/html"`);
  expect(await page(`/${id}?part=text`)).toContain('<a href="https://x.example/memory/new"');
  expect(await page(`/${id}?part=headers`)).toContain("auto-submitted: auto-generated");
  expect((await fetch(`${base}/unknown`)).status).toBe(404);
});

test("an email is shown in a sandboxed frame", async () => {
  const id = await welcomed(address());
  const page = await (await fetch(`${base}/${id}`)).text();
  expect(page).toContain('<iframe title="Welcome to Skies" sandbox="allow-popups allow-popups-to-escape-sandbox"');
  const email = await fetch(`${base}/${id}/html`);
  expect(email.headers.get("content-security-policy")).toMatch(/^sandbox .*default-src 'none'/);
  expect(await email.text()).toContain("Welcome, Ada");
});

test("markup in a message is escaped on the page", async () => {
  const to = address();
  const inbox = await testInbox();
  const app = fastify();
  await app.register(inbox.routes, { prefix: "/inbox" });
  const text = "<img src=x onerror=alert(1)> & more";
  await inbox.gateways.mail({ id: "1", to, subject: text, text, html: "<p></p>" });
  const [id] = inbox.received(to).map((message) => message.id);
  for (const url of ["/inbox", `/inbox/${id}`, `/inbox/${id}?part=text`, `/inbox/${id}?part=headers`]) {
    const { body } = await app.inject(url);
    expect(body).toContain("&lt;img src=x onerror=alert(1)&gt; &amp; more");
    expect(body).not.toContain("<img");
  }
  await app.close();
});

test("a cross-site request cannot read the inbox", async () => {
  const reply = await fetch(`${base}/messages`, { headers: { "sec-fetch-site": "cross-site" } });
  expect(reply.status).toBe(403);
});

test("all messages can be deleted by request and by form", async () => {
  const [first, second] = [address(), address()];
  await welcomed(first);
  expect((await fetch(`${base}/messages`, { method: "DELETE" })).status).toBe(204);
  expect(await received(first)).toEqual([]);
  await welcomed(second);
  const cleared = await fetch(`${base}/clear`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "",
  });
  expect(cleared.url).toBe(base);
  expect(await cleared.text()).toContain("No messages yet");
});

test("an email to slow@ is accepted only after a release", async () => {
  const to = address("slow");
  await welcomed(to);
  const state = async () =>
    (await server.db.query<{ state: string }>("select state from private.outbox where recipient = $1", [to])).rows[0]
      ?.state;
  expect(await state()).toBe("waiting");
  await fetch(`${base}/release`, { method: "POST" });
  await expect.poll(state).toBe("sent");
});

test("a server without sandboxes has no inbox", async () => {
  const plain = await testServer({}, server);
  expect((await fetch(`${plain.url}/sandbox/inbox/messages`)).status).toBe(404);
});
