import { createHash, randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { remindOfDays } from "../../server/jobs/reply-reminders.ts";
import { testDatabase } from "../support/database.ts";
import { repliesTo } from "../support/day-replies.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { owner } = world.callers;
let { guest } = world.callers;
const { run, ask, change, reply } = repliesTo(db, world);

/** 14:00 in Rome, at which the service begins. */
const BEGIN = Date.parse("2030-05-09T12:00:00Z");
const HOUR_MS = 3600_000;
const before = (hours: number) => new Date(BEGIN - hours * HOUR_MS);

beforeEach(async () => {
  await db.exec(`delete from private.outbox; delete from day_replies; delete from day_reply_settings;
    update guests set email = 'gina@example.org', language = 'it', site = 'https://skies.example', blocked_at = null`);
  await db.query("update memory_entries set on_date = '2030-05-09', place = 'San Zeno' where id = $1", [
    world.streamedEntryId,
  ]);
  await ask({ closes_at: before(24 * 10).toISOString() });
  // Drafts and other ends raise the version of a link.
  const share = guest.share as { link: string };
  const { rows } = await db.query<object>("select version from share_links where id = $1", [share.link]);
  guest = { ...guest, share: { ...share, ...rows[0] } };
});

interface Mail {
  recipient: string;
  language: string;
  props: { kind: string; url: string; parts: { title: string; place: string; time: string }[] };
}
/** Runs the job in two processes at once. Resolves to all emails so far. */
async function mailsAt(time: Date): Promise<Mail[]> {
  await remindOfDays(db, time);
  await remindOfDays(db, time);
  const { rows } = await db.query<Mail>(
    "select recipient, language, props from private.outbox where template = 'day-reminder' order by created_at",
  );
  return rows;
}
const kindsAt = async (time: Date) => (await mailsAt(time)).map(({ props }) => props.kind);

test("a day before, who comes is reminded once, with a link that knows them", async () => {
  await reply(guest);
  expect(await mailsAt(before(25))).toEqual([]);
  const mails = await mailsAt(before(23));
  expect(mails).toMatchObject([
    {
      recipient: "gina@example.org",
      language: "it",
      props: { kind: "coming", parts: [{ title: "Service", place: "San Zeno", time: "14:00:00" }] },
    },
  ]);
  const [, site, key = ""] = /^(https:\/\/skies\.example)\/shared\/[\w-]+#guest=([0-9a-f]{64})$/.exec(
    mails[0]?.props.url ?? "",
  ) ?? [""];
  expect(site).toBe("https://skies.example");
  const { rows } = await db.query("select guest_id from private.guest_keys where hash = $1", [
    createHash("sha256").update(key).digest("hex"),
  ]);
  expect(rows).toEqual([{ guest_id: (guest.share as { guest: string }).guest }]);
  expect(await kindsAt(before(2))).toEqual(["coming"]);
  expect(await kindsAt(before(-1))).toEqual(["coming"]);
});

test("nobody is reminded who does not come, waits, left no address or is blocked", async () => {
  await reply(guest, { answer: "no" });
  expect(await kindsAt(before(20))).toEqual([]);
  await reply(guest, { revision: 1 });
  for (const [wrong, right] of [
    ["update guests set email = null", "update guests set email = 'gina@example.org'"],
    ["update guests set blocked_at = now()", "update guests set blocked_at = null"],
    ["update day_replies set waiting_since = now()", "update day_replies set waiting_since = null"],
    ["update memories set draft = true", "update memories set draft = false"],
    ["update memory_entries set audience = 'members'", "update memory_entries set audience = 'all'"],
  ]) {
    await db.exec(wrong ?? "");
    expect([wrong, await kindsAt(before(20))]).toEqual([wrong, []]);
    await db.exec(right ?? "");
  }
  expect(await kindsAt(before(20))).toEqual(["coming"]);
});

test("three days before replies close, who is not sure is asked once", async () => {
  await reply(guest, { answer: "maybe" });
  expect(await kindsAt(before(24 * 13 + 1))).toEqual([]);
  expect(await kindsAt(before(24 * 12))).toEqual(["closing"]);
  expect(await kindsAt(before(24 * 11))).toEqual(["closing"]);
});

test("who moves up from the waiting list is told", async () => {
  await change({ places: 1 });
  const { id } = await reply(owner, { names: ["Ben"], id: randomUUID() });
  expect(await reply(guest)).toMatchObject({ waiting: true });
  expect(await kindsAt(new Date())).toEqual([]);
  await run(owner, "select delete_day_reply($1)", [id]);
  expect(await kindsAt(new Date())).toEqual(["place"]);
});

test("who comes is told of changes, half an hour after the last one and not of what they have seen", async () => {
  await reply(guest);
  // The reply is as old as the time before the change.
  await db.query("update day_replies set updated_at = now() - interval '1 hour'");
  const edit = (dress: string) =>
    run(owner, "update memory_entries set dress = $2 where id = $1", [world.streamedEntryId, dress]);
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  await edit("Dark");
  expect(await kindsAt(later(5))).toEqual([]);
  expect(await kindsAt(later(40))).toEqual(["changed"]);
  await db.query("update day_replies set updated_at = now() + interval '1 second'");
  await edit("Bright");
  expect(await kindsAt(later(40))).toEqual(["changed"]);
});

test("nobody is reminded whose link has ended", async () => {
  await reply(guest);
  const { link } = guest.share as { link: string };
  await db.query("update share_links set expires_at = $2 where id = $1", [link, before(30)]);
  expect(await kindsAt(before(20))).toEqual([]);
  await db.query("update share_links set expires_at = null where id = $1", [link]);
  expect(await kindsAt(before(20))).toEqual(["coming"]);
});
