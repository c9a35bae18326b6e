import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enqueuedTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({ SEND_EMAIL_LIMIT: "1000" });
const info = "info@skies.example";
const copyTo = "welcomes@skies.example";
const newEmail = () => `${randomUUID()}@example.com`;
const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];

async function send(body: unknown, { bearer = ada.token, on = server, path = "/.netlify/functions/send-email" } = {}) {
  const reply = await fetch(on.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}
const nobody = { bearer: "" };
const invitation = (more: object = {}) => ({
  toEmail: newEmail(),
  subject: "Come and see Nonna's photos",
  message: "<p>We made a page for <strong>Nonna</strong>.</p>",
  inviterEmail: ada.email,
  ...more,
});
const contact = (more: object = {}) => ({
  toEmail: info,
  subject: "Contact Form: A question",
  message: "<p>Hello?</p>",
  ...more,
});
const enqueuedInAll = async () => (await server.db.query("select from private.outbox")).rows.length;

test("Spec §7, §8: an invitation is accepted with 202 and enqueued for its recipient", async () => {
  const email = invitation();
  expect(await send(email)).toEqual({ status: 202, body: { success: true, message: "The email is on its way." } });
  expect(await enqueuedTo(server, email.toEmail)).toMatchObject([
    { template: "note", props: { subject: email.subject, html: email.message, from: ada.email } },
  ]);
});

test("an invitation can also be sent through the client library", async () => {
  const { data, error } = await ada.client.functions.invoke("send-email", { body: invitation() });
  expect([data, error]).toMatchObject([{ success: true }, null]);
});

test("Spec §4: an email to an unsubscribed address is skipped, in any spelling of the address", async () => {
  const [gone, email] = [await signUp(server, "Gone"), invitation()];
  const { error } = await gone.client.from("email_preferences").upsert({ email: gone.email, unsubscribed: true });
  expect(error).toBeNull();
  const answer = await send({ ...email, toEmail: ` ${gone.email.toUpperCase()} ` });
  expect(answer).toEqual({
    status: 200,
    body: { success: true, message: "The recipient has unsubscribed.", skipped: true },
  });
  expect((await enqueuedTo(server, gone.email)).map(({ template }) => template)).toEqual(["welcome"]);

  await gone.client.from("email_preferences").update({ unsubscribed: false }).eq("email", gone.email);
  expect((await send({ ...email, toEmail: gone.email })).status).toBe(202);
});

test("Spec §7: only people who have written to an address can read whether it is unsubscribed", async () => {
  const gone = await signUp(server, "Gone");
  await gone.client.from("email_preferences").upsert({ email: gone.email, unsubscribed: true });
  const preferences = (person: typeof ada) =>
    person.client.from("email_preferences").select("unsubscribed").eq("email", gone.email);
  expect((await preferences(ada)).data).toEqual([]);
  await send(invitation({ toEmail: gone.email }));
  expect((await preferences(ada)).data).toEqual([{ unsubscribed: true }]);
  expect((await preferences(bob)).data).toEqual([]);
  expect((await server.client().from("email_preferences").select()).error?.code).toBe("42501");
});

test("a message is sanitised before it is stored", async () => {
  const email = invitation({
    message: `<p onclick="x()">Hi</p><script>x()</script><img src="https://evil.example/pixel"><form action="//x"></form>
      <a href="javascript:x()">a</a><a href="https://example.com">b</a><style>p { display: none }</style>`,
  });
  await send(email);
  const html = String((await enqueuedTo(server, email.toEmail))[0]?.props.html);
  expect(html).toContain("<p>Hi</p>");
  expect(html).toContain('<a href="https://example.com" rel="noopener noreferrer nofollow">b</a>');
  expect(html).not.toMatch(/onclick|script|img|form|style/);
});

test("the one configured address may get a hidden copy", async () => {
  const email = { ...invitation({ bcc: copyTo }), toEmail: ada.email, inviterEmail: undefined };
  expect((await send(email)).status).toBe(202);
  const { rows } = await server.db.query("select bcc from private.outbox where recipient = $1 and template = 'note'", [
    ada.email,
  ]);
  expect(rows).toEqual([{ bcc: copyTo }]);
});

test("a visitor writes to the product's own address through the contact form", async () => {
  for (const bearer of ["", server.keys.publishable]) expect((await send(contact(), { bearer })).status).toBe(202);
  expect((await enqueuedTo(server, info)).at(-1)).toMatchObject({ props: { subject: "Contact Form: A question" } });
});

test.each<[string, object, string]>([
  ["without a recipient", { toEmail: undefined }, "Recipient email is required"],
  ["with an empty recipient", { toEmail: "  " }, "Recipient email is required"],
  ["with a list of recipients", { toEmail: [newEmail(), newEmail()] }, "Recipient email is required"],
  ["without an inviter", { inviterEmail: undefined }, "Inviter email is required"],
  ["with an empty inviter", { inviterEmail: "" }, "Inviter email is required"],
  ["to a malformed address", { toEmail: "ada.example.com" }, "Invalid email format"],
  ["to an address without a dot", { toEmail: "ada@localhost" }, "Invalid email format"],
  ["to an address with a dot too many", { toEmail: "ada@example..com" }, "Invalid email format"],
  ["to two addresses", { toEmail: "ada@example.com,bob@example.com" }, "Invalid email format"],
  ["to two addresses with a space", { toEmail: "ada@example.com bob@example.com" }, "Invalid email format"],
  ["to an address with a name", { toEmail: "Ada<ada@example.com>" }, "Invalid email format"],
  ["to a group", { toEmail: "group:ada@example.com;" }, "Invalid email format"],
  ["to an address with a line break", { toEmail: "ada@example.com\r\nBcc:eve@example.com" }, "Invalid email format"],
  ["to an address with a NUL", { toEmail: "ada@example.com\0" }, "A request must not contain a zero byte"],
  ["to a very long address", { toEmail: `${"a".repeat(250)}@example.com` }, "Invalid email format"],
  ["from a malformed address", { inviterEmail: "ada" }, "Invalid email format"],
  ["with a copy to a malformed address", { bcc: "eve" }, "Invalid email format"],
  ["without a subject", { subject: "" }, "Subject is required"],
  ["with a subject of two lines", { subject: "Hi\r\nBcc: eve@example.com" }, "The subject is one line of text"],
  ["with a subject with a NUL", { subject: "Hi\0there" }, "A request must not contain a zero byte"],
  ["with a subject of 201 characters", { subject: "x".repeat(201) }, "The subject may have up to 200 characters"],
  ["without a message", { message: undefined }, "Message is required"],
  [
    "with a message of 20,001 characters",
    { message: "x".repeat(20_001) },
    "The message may have up to 20,000 characters",
  ],
])("Spec §5: an invitation %s is refused", async (_what, change, message) => {
  const before = await enqueuedInAll();
  expect(await send(invitation(change))).toMatchObject({ status: 400, body: { message } });
  expect(await enqueuedInAll()).toBe(before);
});

test.each([
  ["an anonymous caller invites", invitation(), nobody, 401],
  ["a visitor invites", invitation(), { bearer: server.keys.publishable }, 401],
  ["the service's key invites", invitation(), { bearer: server.keys.secret }, 401],
  ["a malformed token invites", invitation(), { bearer: "garbage" }, 401],
  ["somebody invites in another's name", invitation({ inviterEmail: bob.email }), undefined, 403],
  ["somebody sends hidden copies", invitation({ bcc: newEmail() }), undefined, 403],
  ["a visitor sends the contact form to another address", contact({ toEmail: newEmail() }), nobody, 401],
  ["a visitor writes to us without the form's subject", contact({ subject: "Hello" }), nobody, 401],
  ["a visitor sends a hidden copy with the form", contact({ bcc: copyTo }), nobody, 401],
  ["somebody sends no JSON", "toEmail=ada", undefined, 400],
  ["somebody sends no object", "[]", undefined, 400],
])("no email is enqueued if %s", async (_what, body, as, status) => {
  const before = await enqueuedInAll();
  expect((await send(body, as)).status).toBe(status);
  expect(await enqueuedInAll()).toBe(before);
});

test("a person who has signed out cannot send with their earlier token", async () => {
  const eve = await signUp(server, "Eve");
  await eve.client.auth.signOut();
  expect((await send(invitation({ inviterEmail: eve.email }), { bearer: eve.token })).status).toBe(401);
});

test("each person has a daily limit across processes, which refused requests do not use up", async () => {
  const [eve, dan] = [await signUp(server, "Eve"), await signUp(server, "Dan")];
  const few = await testServer({ SEND_EMAIL_LIMIT: "3" }, server);
  const more = await testServer({ SEND_EMAIL_LIMIT: "3" }, server);
  const as = (person: typeof ada, on: typeof server, change: object = {}) =>
    send(invitation({ inviterEmail: person.email, ...change }), { bearer: person.token, on });
  await as(eve, few, { toEmail: "" });
  await as(eve, few, { bcc: newEmail() });
  const together = await Promise.all([few, more, few, more, few].map((on) => as(eve, on)));
  expect(together.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429]);
  expect((await as(dan, few)).status).toBe(202);
});

test("the contact form is limited for each network", async () => {
  await server.db.query("delete from auth.attempts");
  const few = await testServer({ SEND_EMAIL_LIMIT: "2" }, server);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await send(contact(), { ...nobody, on: few })).status);
  expect(statuses).toEqual([202, 202, 429]);
});

test("a person's recipients and email preferences are in their data export, and recipients go with the account", async () => {
  const eve = await signUp(server, "Eve");
  const email = invitation({ inviterEmail: eve.email });
  await send(email, { bearer: eve.token });
  await eve.client.from("email_preferences").upsert({ email: eve.email, unsubscribed: true });
  const { data } = await eve.client.functions.invoke("my-data");
  expect(data).toMatchObject({
    email_preferences: [{ email: eve.email, unsubscribed: true }],
    written_to: [email.toEmail],
  });
  await eve.client.functions.invoke("delete-account", { body: { password: eve.password } });
  const { rows } = await server.db.query("select from private.correspondents where email = $1", [email.toEmail]);
  expect(rows).toEqual([]);
});

test("an internal error of a function reveals no internals", async () => {
  const quiet = await testServer({ LOG_LEVEL: "fatal" }, server);
  await server.db.exec("alter table private.correspondents rename to misplaced");
  const answer = await send(invitation(), { on: quiet });
  await server.db.exec("alter table private.misplaced rename to correspondents");
  expect(answer).toEqual({ status: 500, body: { message: "Internal error" } });
});
