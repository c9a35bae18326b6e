import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { mail } from "../../server/gateways/mail.ts";
import { sms } from "../../server/gateways/sms.ts";
import { enqueueMail, enqueueSms } from "../../server/jobs/outbox.ts";
import { testDatabase } from "../support/database.ts";
import { testInbox } from "../support/inbox.ts";
import { address, handOutbox } from "../support/outbox.ts";

const inbox = await testInbox();
const db = await testDatabase();
const send = inbox.gateways.mail;
const email = { id: "1", subject: "Hello", html: "<p>Hello</p>", text: "Hello" };

const servers: SMTPServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Creates a mail gateway to a server with these options. */
async function mailTo(manners: SMTPServerOptions, login = "") {
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 1,
    ...manners,
  });
  servers.push(server);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const from = { name: "Skies", address: "hello@skies.example" };
  return mail({ url: `smtp://${login}127.0.0.1:${port}`, from, replyTo: "info@skies.example" });
}
const refusal = (responseCode: number) => Object.assign(new Error("No"), { responseCode });

describe("a mail server's refusal", () => {
  test("of the content is final", async () => {
    const gateway = await mailTo({
      authOptional: true,
      onData: (stream, _session, done) => stream.on("end", () => done(refusal(554))).resume(),
    });
    expect(await gateway({ ...email, to: address() })).toMatchObject({ accepted: false, final: true });
  });

  test("of the password keeps the email waiting", async () => {
    const gateway = await mailTo({ onAuth: (_auth, _session, done) => done(refusal(535)) }, "skies:wrong@");
    expect(await gateway({ ...email, to: address() })).toMatchObject({ accepted: false, final: false });
  });

  test("of the sender keeps the email waiting", async () => {
    const gateway = await mailTo({ authOptional: true, onMailFrom: (_from, _session, done) => done(refusal(550)) });
    expect(await gateway({ ...email, to: address() })).toMatchObject({ accepted: false, final: false });
  });

  test("of the connection keeps the email waiting", async () => {
    const gateway = await mailTo({});
    await new Promise<void>((resolve) => servers[0]?.close(resolve));
    expect(await gateway({ ...email, to: address() })).toMatchObject({ accepted: false, final: false });
  });
});

test("a sending attempt can be aborted", async () => {
  const to = address("slow");
  const off = new AbortController();
  const attempt = send({ ...email, to }, off.signal);
  await expect.poll(() => inbox.received(to)).toHaveLength(1);
  off.abort();
  expect(await attempt).toMatchObject({ accepted: false, final: false });
  inbox.release();
});

test("an email with an unsubscribe link has the headers for one-click unsubscribing", async () => {
  const to = address();
  await send({ ...email, to, unsubscribeUrl: "https://skies.example/stop?who=1" });
  expect(inbox.received(to)[0]?.headers).toMatchObject({
    "list-unsubscribe": "<https://skies.example/stop?who=1>",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "auto-submitted": "auto-generated",
  });
});

describe("an email is never sent with", () => {
  const to = address();
  test.each([
    ["an address with a line break", { to: `${to}\r\nBcc: victim@example.com` }],
    ["two addresses in one", { to: `victim@example.com, ${to}` }],
    ["an address that closes its bracket", { to: `victim@example.com> <x@${to}` }],
    ["a copy's address with a line break", { to, bcc: "copies@example.com\nTo: victim@example.com" }],
    ["a subject with a line break", { to, subject: "Hello\r\nBcc: victim@example.com" }],
    ["an unsubscribe link with a line break", { to, unsubscribeUrl: "https://x.example/\r\nBcc: victim@example.com" }],
    ["an invalid unsubscribe link", { to, unsubscribeUrl: "javascript:alert(1)" }],
  ])("%s", async (_what, part) => {
    expect(await send({ ...email, ...part })).toMatchObject({ accepted: false, final: true });
    expect(inbox.received(to)).toEqual([]);
    expect(inbox.received("victim@example.com")).toEqual([]);
  });
});

describe("text messages", () => {
  const outbox = handOutbox(db, inbox.gateways);
  const enqueueText = (to: string) =>
    enqueueSms(db, { template: "phone-code", language: "it", to, props: { code: "123456", minutes: 10 } });

  test("arrive in their reader's language", async () => {
    await enqueueText("+393331234567");
    await outbox.send();
    expect(inbox.received("+393331234567")).toMatchObject([
      { kind: "sms", from: "+15005550006", text: expect.stringContaining("123456 è il tuo codice Skies") },
    ]);
    expect(await outbox.row()).toMatchObject({ state: "sent", props: {} });
  });

  test.each([
    ["+15005550001", "dead"],
    ["+15005550009", "dead"],
    ["+15005550429", "waiting"],
    ["+15005550503", "waiting"],
  ])("to %s end up %s", async (to, state) => {
    await enqueueText(to);
    await outbox.send();
    expect(await outbox.row()).toMatchObject({ state, attempts: 1 });
  });

  test("wait when the vendor rejects the credentials", async () => {
    const stranger = sms({
      accountSid: `AC${"1".repeat(32)}`,
      authToken: "",
      from: "+15005550006",
      baseUrl: inbox.twilioUrl,
    });
    expect(await stranger("+393331234567", "Hello")).toMatchObject({ accepted: false, final: false });
  });

  test.each([
    ["something between us and the vendor answers", 502, "<html>Bad gateway</html>", "HTTP 502"],
    ["the vendor sends us elsewhere", 307, "", "unexpected redirect"],
    [
      "the vendor says that there are too many",
      429,
      '{"code":20429,"message":"Too Many Requests"}',
      "Too Many Requests",
    ],
  ])("wait, with the reason, when %s", async (_what, status, body, reason) => {
    const vendor = createServer((_request, response) =>
      response.writeHead(status, { location: "https://elsewhere.example/" }).end(body),
    ).listen(0, "127.0.0.1");
    await once(vendor, "listening");
    const { port } = vendor.address() as AddressInfo;
    const gateway = sms({
      accountSid: "AC1",
      authToken: "secret",
      from: "+15005550006",
      baseUrl: `http://127.0.0.1:${port}/`,
    });
    expect(await gateway("+393331234567", "Hello")).toEqual({ accepted: false, final: false, reason });
    await new Promise((resolve) => vendor.close(resolve));
    expect(await gateway("+393331234567", "Hello")).toEqual({
      accepted: false,
      final: false,
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("are refused for anything but a phone number", async () => {
    await expect(enqueueText("+39 333\r\n1234567")).rejects.toMatchObject({ status: 400 });
    expect(await inbox.gateways.sms("nobody", "Hello")).toMatchObject({ accepted: false, final: true });
  });

  test.each(["ada@example.com\r\nBcc: victim@example.com", "ada", "ada@example.com\u0000", "a b@example.com"])(
    "no email is enqueued for the invalid address %j",
    async (to) => {
      const props = { name: "", startUrl: "https://x.example" };
      await expect(enqueueMail(db, { template: "welcome", language: "en", to, props })).rejects.toMatchObject({
        status: 400,
        message: "Invalid email format",
      });
    },
  );
});
