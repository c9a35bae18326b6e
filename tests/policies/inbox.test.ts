import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { support, administrator, owner, viewer } = world.callers;

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const refused = (request: Promise<unknown>, hint: string) => expect(request).rejects.toMatchObject({ hint });

async function report(kind: string, item: string, more: { email?: string } = {}): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into reports (memory_id, kind, item_id, reason, words, user_id, email, language, site)
     values ($1, $2, $3, 'private', 'Our <b>garden</b>', $4, $5, 'it', 'https://skies.example') returning id`,
    [world.memoryId, kind, item, world.people.viewer, more.email ?? null],
  );
  return rows[0]?.id ?? "";
}
const settle = (caller: Caller, id: string, decision: string, person: string | null = null) =>
  run(caller, "select settle_report($1, $2, 'It is their garden', 'Please look', $3)", [id, decision, person]);
const write = (caller: Caller, item: string, kind: string, body: string, id = randomUUID()) =>
  run(caller, "insert into inbox_entries (id, item_id, kind, body) values ($1, $2, $3, $4)", [id, item, kind, body]);
const itemOf = async (id: string) =>
  (await run(support, "select desk_inbox_item($1) as item", [id]))[0]?.item as Record<string, unknown>;
const emails = async (recipient: string) =>
  (
    await db.query<{ template: string; language: string; props: Record<string, string> }>(
      "select template, language, props from private.outbox where recipient = $1 order by created_at, xmin::text::bigint",
      [recipient],
    )
  ).rows;
const log = (id: string) =>
  run(administrator, "select action, reason from audit_log where subject = $1 and reason is not null order by id", [
    id,
  ]);

test("support answers a message of the contact form by email, once, with the original message below", async () => {
  const { rows } = await db.query<{ id: string }>(
    `insert into contact_messages (name, email, subject, message, language)
     values ('Nia', 'nia@answered.example', 'My photos', '<p>Where are they?</p>', 'it') returning id`,
  );
  const id = rows[0]?.id ?? "";
  await write(support, id, "note", "Looks like the trash");
  expect(await itemOf(id)).toMatchObject({
    kind: "message",
    state: "open",
    message: { email: "nia@answered.example" },
  });
  const entry = randomUUID();
  await write(support, id, "answer", "In the trash:\n<here>\n\nNia", entry);
  await expect(write(support, id, "answer", "Again", entry)).rejects.toMatchObject({ code: "23505" });
  expect(await emails("nia@answered.example")).toEqual([
    {
      template: "note",
      language: "it",
      props: {
        sort: "answer",
        subject: "Re: My photos",
        html: "<p>In the trash:<br>&lt;here&gt;</p><p>Nia</p><blockquote><p>Where are they?</p></blockquote>",
      },
    },
  ]);
  expect(await itemOf(id)).toMatchObject({
    state: "answered",
    entries: [{ kind: "note", mail: null }, { mail: "waiting" }],
  });
  // The log outlives people's messages, so it does not contain them.
  expect(JSON.stringify(await run(administrator, "select * from audit_log where subject = $1", [id]))).not.toContain(
    "trash",
  );
  await run(support, "update inbox_items set state = 'closed' where id = $1", [id]);
  expect(await run(support, "select id from desk_inbox('nia answ') where id = $1", [id])).toEqual([]);
  expect(await run(support, "select sender from desk_inbox('nia answ', 'all') where id = $1", [id])).toEqual([
    { sender: "Nia" },
  ]);
});

test("an item can be assigned only to staff and is found by its assignee; an undecided report cannot be closed", async () => {
  const mine = "update inbox_items set assignee = $2 where id = $1";
  await refused(run(support, mine, [world.reportId, world.ada]), "validation_failed");
  await db.query(`update auth.users set raw_app_meta_data = '{"role": "support"}' where id = $1`, [support.sub]);
  await run(support, mine, [world.reportId, support.sub]);
  expect(await run(support, "select id, state from desk_inbox(taken => 'me')")).toEqual([
    { id: world.reportId, state: "open" },
  ]);
  await refused(run(support, "update inbox_items set state = 'closed' where id = $1", [world.reportId]), "undecided");
});

test("a reported comment is hidden, the memory's owner is emailed, and staff never read the comment", async () => {
  const id = await report("comment", world.commentId);
  expect(JSON.stringify(await itemOf(id))).not.toContain("Remember the sea");
  expect(await itemOf(id)).toMatchObject({ report: { item_state: "shown", of_item: 1, owner: { id: world.ada } } });
  await refused(write(support, id, "answer", "Thanks"), "no_address");
  await settle(support, id, "hide");
  expect(await run(viewer, "select id from comments where id = $1", [world.commentId])).toEqual([]);
  expect(await itemOf(id)).toMatchObject({ state: "closed", report: { outcome: "acted", item_state: "hidden" } });
  expect(await emails(`${world.ada}@example.com`)).toEqual([
    {
      template: "content-reported",
      language: "en",
      props: {
        decision: "hide",
        item: "comment",
        memory: "Someone",
        reason: "private",
        words: "Please look",
        url: `https://skies.example/memory/${world.memoryId}/waiting`,
      },
    },
  ]);
  await refused(settle(support, id, "nothing"), "conflict");
  await settle(support, id, "reopen");
  expect(await itemOf(id)).toMatchObject({ state: "open", report: { outcome: null } });
  expect(await log(id)).toEqual([
    { action: "report.hide", reason: "It is their garden" },
    { action: "report.reopen", reason: "It is their garden" },
  ]);
  const moderation = `select moderate('[{"kind": "comment", "id": "${world.commentId}"}]', 'shown')`;
  await run(owner, moderation);
  expect(await run(viewer, "select id from comments where id = $1", [world.commentId])).toHaveLength(1);
});

test("a reported memory cannot be hidden, its owner is asked by email, and only administrators suspend the owner", async () => {
  const id = await report("memory", world.memoryId, { email: "kin@example.com" });
  await refused(settle(support, id, "hide"), "not_hidden");
  await settle(support, id, "ask");
  expect(await itemOf(id)).toMatchObject({ state: "answered", report: { outcome: null } });
  expect((await emails(`${world.ada}@example.com`)).at(-1)?.props).toMatchObject({ decision: "ask", item: "memory" });
  await write(support, id, "answer", "We asked.");
  expect((await emails("kin@example.com"))[0]).toMatchObject({
    language: "it",
    props: { subject: "La tua segnalazione a Skies" },
  });
  await refused(settle(support, id, "suspend", world.ada), "not_found");
  await refused(settle(administrator, id, "suspend", world.bob), "validation_failed");
  await settle(administrator, id, "suspend", world.ada);
  const { rows } = await db.query("select banned_until > now() as suspended from auth.users where id = $1", [
    world.ada,
  ]);
  expect(rows).toEqual([{ suspended: true }]);
  expect(await log(id)).toEqual([
    { action: "report.ask", reason: "It is their garden" },
    { action: "report.suspend", reason: "It is their garden" },
  ]);
});
