import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { UnsubscribeReply } from "../../shared/unsubscribe.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({}, undefined, { jobs: true, sandboxes: true });
const ada = await signUp(server, "Ada");
const newEmail = () => `${randomUUID()}@example.com`;

interface InvitationEmail {
  text: string;
  html: string;
  headers: Record<string, string>;
}
const received = async (to: string) => {
  const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
  return ((await reply.json()) as { messages: InvitationEmail[] }).messages;
};
async function write(toEmail: string) {
  const body = { toEmail, subject: "Come", message: "<p>Look</p>", inviterEmail: ada.email };
  const { data, error } = await ada.client.functions.invoke("send-email", { body });
  expect(error).toBeNull();
  return data as { skipped?: boolean };
}
async function emailTo(toEmail: string) {
  await expect.poll(() => received(toEmail)).toHaveLength(1);
  const [email] = await received(toEmail);
  if (!email) throw new Error("No letter has come");
  const link = new URL((email.headers["list-unsubscribe"] ?? "").slice(1, -1));
  return { ...email, at: server.url + link.pathname + link.search, token: link.searchParams.get("token") ?? "" };
}
const asJson = async (body: object) => {
  const reply = await fetch(`${server.url}/functions/v1/unsubscribe`, { method: "POST", body: JSON.stringify(body) });
  return { status: reply.status, body: (await reply.json()) as UnsubscribeReply };
};
const oneClick = (at: string, body = "List-Unsubscribe=One-Click") =>
  fetch(at, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body });

test("one click in the mail program ends invitations (RFC 8058)", async () => {
  const to = newEmail();
  await write(to);
  const email = await emailTo(to);
  expect(email.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  expect(email.text).toContain(`/unsubscribe?token=${email.token}`);
  expect((await oneClick(email.at, "something=else")).status).toBe(400);
  expect((await write(to)).skipped).toBeUndefined();
  expect((await oneClick(email.at)).status).toBe(200);
  expect((await write(to)).skipped).toBe(true);
});

test("following the link changes nothing; its page can unsubscribe and undo that", async () => {
  const to = newEmail();
  await write(to);
  const { at, token } = await emailTo(to);
  const reply = await fetch(at, { redirect: "manual" });
  expect(reply.status).toBe(303);
  expect(reply.headers.get("location")).toMatch(new RegExp(`/unsubscribe\\?token=${token}$`));
  expect((await write(to)).skipped).toBeUndefined();
  expect(await asJson({ token })).toEqual({ status: 200, body: { email: to, unsubscribed: true } });
  expect((await write(to)).skipped).toBe(true);
  expect((await asJson({ token, unsubscribed: false })).body).toEqual({ email: to, unsubscribed: false });
  expect((await write(to)).skipped).toBeUndefined();
});

test("an invented, changed or truncated token is refused", async () => {
  const to = newEmail();
  await write(to);
  const { token } = await emailTo(to);
  const [address, signature] = token.split(".");
  const other = Buffer.from(ada.email).toString("hex");
  for (const forged of ["", "x", `${address}`, `${address}.`, `${other}.${signature}`, `${token.slice(0, -4)}`]) {
    expect((await asJson({ token: forged })).status).toBe(400);
    expect((await oneClick(`${server.url}/functions/v1/unsubscribe?token=${forged}`)).status).toBe(400);
  }
  expect((await server.db.query("select from email_preferences where unsubscribed and email = $1", [to])).rows).toEqual(
    [],
  );
});

test("a waiting invitation to an unsubscribed address is skipped, and other emails are sent", async () => {
  const to = newEmail();
  await server.db.transaction(async (tx) => {
    await tx.query("insert into email_preferences (email, unsubscribed) values ($1, true)", [to]);
    await tx.query(
      `insert into private.outbox (kind, template, language, recipient, props)
       values ('mail', 'note', 'en', $1, '{"subject": "Come", "html": "<p>Look</p>", "from": "ada@example.com"}'),
         ('mail', 'welcome', 'en', $1, '{"name": "Ada", "startUrl": "https://x.example"}')`,
      [to],
    );
  });
  const states = async () =>
    (await server.db.query("select template, state from private.outbox where recipient = $1 order by 1", [to])).rows;
  await expect.poll(states).toEqual([
    { template: "note", state: "skipped" },
    { template: "welcome", state: "sent" },
  ]);
  const emails = await received(to);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.headers).not.toHaveProperty("list-unsubscribe");
});
