import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { memoryPictures } from "../../server/emails/memory-picture.ts";
import { enqueueDueEmails } from "../../server/jobs/notices/mailing.ts";
import { writeNotices } from "../../server/jobs/notices/notice-emails.ts";
import { tellPeople } from "../../server/jobs/notices/notices-job.ts";
import { sendDue } from "../../server/jobs/outbox-job.ts";
import { openSecrets } from "../../server/settings/secrets.ts";
import { stoppingNotices } from "../../server/unsubscribing/unsubscribing.ts";
import { pictureName } from "../../web/data/picture-name.ts";
import { testInbox } from "../support/inbox.ts";
import { never } from "../support/jobs.ts";
import { addPhotos, as, type Commenter, commenter, kindsOf, memoryOf, say } from "../support/notices.ts";
import { metadataIn, photoWithMetadata } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
const inbox = await testInbox();
const secrets = await openSecrets({ dataDir: server.dataDir });
const letters = { db, secrets: secrets.unsubscribing, publicUrl: server.url };
const pictures = memoryPictures({ db, files: server.files });
const notices = writeNotices({ ...letters, stopping: stoppingNotices(letters), pictures });
const log = { warn: () => {}, error: (fields: object) => expect.fail(JSON.stringify(fields)) };

/** Sends the enqueued emails. The clock is one minute ahead, so each waiting email is due. */
const send = () =>
  sendDue({ db, gateways: inbox.gateways, notices, log, clock: () => new Date(Date.now() + 60_000) }, never);
const HOUR = 3_600_000;
const later = (ms: number) => new Date(Date.now() + ms);
/** A time by which one morning has come in every time zone, but not a second one. */
const tomorrow = () => later(25 * HOUR);
/** The texts of the received emails, the oldest first. */
const textOf = ({ email }: Commenter) =>
  inbox
    .received(email)
    .map(({ text }) => text.replaceAll(/\s+/g, " "))
    .toReversed();

beforeEach(async () => {
  await db.exec("delete from private.outbox; delete from auth.users");
});

test("a day's notices are one email in the morning, in the reader's language", async () => {
  const ada = await commenter(db, "Ada", { language: "it" });
  const gina = await commenter(db, "Gina");
  const clientOf = async ({ id }: Commenter) => server.client(await server.sign({ role: "authenticated", sub: id }));
  const face = await photoWithMetadata();
  const upload = await (await clientOf(gina)).storage.from("avatars").upload(await pictureName(gina.id), face);
  expect(upload.error).toBeNull();
  const memory = await memoryOf(db, ada, { contributor: gina });
  const comment = await say(db, gina, memory, "Ricordi la barca?");
  const [photo] = await addPhotos(db, gina, memory, 12);
  const [ofPhoto] = await as<{ id: string }>(
    db,
    gina,
    "insert into comments (memory_id, media_id, body) values ($1, $2, 'Il lago') returning id",
    [memory, photo],
  );
  const [story] = await as<{ id: string }>(
    db,
    gina,
    "insert into stories (memory_id, body) values ($1, '<p>Cantava.</p>') returning id",
    [memory],
  );
  const heldComment = await say(db, gina, memory, "Forse");
  await db.query("update comments set moderation = 'held' where id = $1", [heldComment]);
  await tellPeople(db, later(0));
  await send();
  expect(inbox.received(ada.email)).toEqual([]);
  await tellPeople(db, tomorrow());
  await send();
  await tellPeople(db, later(26 * HOUR));
  await send();
  expect(inbox.received(ada.email)).toHaveLength(1);
  const [letter] = inbox.received(ada.email);
  expect(letter?.subject).toBe("Le novità di ieri nei tuoi ricordi");
  expect(letter?.html).toContain(`/memory/${memory}#comment-${comment}`);
  expect(letter?.html).toContain(`/memory/${memory}?photo=${photo}#comment-${ofPhoto?.id}`);
  expect(letter?.html).toContain(`/memory/${memory}#story-${story?.id}`);
  expect(letter?.html).toContain(`/memory/${memory}/waiting`);
  // Her face. Neither the email's copy nor the page's copy contains its location and camera.
  const faces = [...(letter?.html ?? "").matchAll(/<img[^>]*src="data:image\/jpeg;base64,([^"]+)"/g)];
  expect(faces.length).toBeGreaterThan(1);
  const inMail = Buffer.from(faces[0]?.[1] ?? "", "base64");
  expect(await sharp(inMail).metadata()).toMatchObject({ format: "jpeg", width: 96, height: 96 });
  const copy = await (await clientOf(ada)).storage.from("avatars").download(await pictureName(gina.id));
  const onPage = Buffer.from((await copy.data?.arrayBuffer()) ?? new ArrayBuffer());
  expect([await metadataIn(face), await metadataIn(inMail), await metadataIn(onPage)]).toEqual([
    expect.any(Array),
    [],
    [],
  ]);
  expect((await metadataIn(face)).length).toBeGreaterThan(1);
  const [text] = textOf(ada);
  expect(text).toContain("Gina ha scritto un commento");
  expect(text).toContain("> Ricordi la barca?");
  expect(text).toContain("Gina ha aggiunto 12 foto, video e registrazioni");
  expect(text).toContain("/profile#notices");
  expect(inbox.received(gina.email)).toEqual([]);
});

test("concurrent processes and a killed one enqueue one email", async () => {
  const ada = await commenter(db, "Ada");
  const gina = await commenter(db, "Gina");
  const memory = await memoryOf(db, ada, { contributor: gina });
  await say(db, gina, memory, "The boat");
  // Simulates a crash between claiming the notices and enqueueing the email: nothing is committed.
  const dying = {
    ...db,
    transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
      db.transaction<T>((tx) =>
        work({
          ...tx,
          query: (text, values) => {
            if (text.includes("private.outbox (")) throw new Error("killed");
            return tx.query(text, values);
          },
        }),
      ),
  };
  await expect(enqueueDueEmails(dying, tomorrow())).rejects.toThrow("killed");
  await Promise.all([
    enqueueDueEmails(db, tomorrow()),
    enqueueDueEmails(db, tomorrow()),
    enqueueDueEmails(db, tomorrow()),
  ]);
  await send();
  expect(inbox.received(ada.email)).toHaveLength(1);
});

test("instant emails are sent at once, and at most one in fifteen minutes", async () => {
  const ada = await commenter(db, "Ada", { mail: "instantly" });
  const gina = await commenter(db, "Gina");
  const memory = await memoryOf(db, ada, { contributor: gina });
  await say(db, gina, memory, "First");
  await tellPeople(db, later(1000));
  await say(db, gina, memory, "Second");
  await say(db, gina, memory, "Third");
  await tellPeople(db, later(60_000));
  await tellPeople(db, later(14 * 60_000));
  await send();
  expect(textOf(ada)).toHaveLength(1);
  expect(textOf(ada)[0]).toContain("First");
  await tellPeople(db, later(16 * 60_000));
  // While an email waits to be sent, no further one is enqueued.
  await say(db, gina, memory, "Fourth");
  await tellPeople(db, later(40 * 60_000));
  await send();
  const [, second, third] = textOf(ada);
  expect(second).toContain("Second");
  expect(second).toContain("Third");
  expect(third).toBeUndefined();
  await tellPeople(db, later(60 * 60_000));
  await send();
  expect(textOf(ada)[2]).toContain("Fourth");
  // An email that was skipped because everything had been read does not delay the next one.
  await say(db, gina, memory, "Fifth");
  await tellPeople(db, later(80 * 60_000));
  await as(db, ada, "update notices set read_at = now()");
  await send();
  await say(db, gina, memory, "Sixth");
  await tellPeople(db, later(81 * 60_000));
  await send();
  expect(textOf(ada)).toHaveLength(4);
  expect(textOf(ada)[3]).toContain("Sixth");
});

test("content that is withdrawn, hidden or read before sending is left out, and an empty email is not sent", async () => {
  const [ada, gina, paolo] = [await commenter(db, "Ada"), await commenter(db, "Gina"), await commenter(db, "Paolo")];
  const memory = await memoryOf(db, ada, { contributor: gina, "co-owner": paolo });
  const gone = await say(db, gina, memory, "Withdrawn words");
  const hidden = await say(db, gina, memory, "Hidden words");
  await say(db, gina, memory, "Words that stay");
  await tellPeople(db, tomorrow());
  // After the email is enqueued, and before it is sent.
  await as(db, gina, "select withdraw_comment($1)", [gone]);
  await as(db, ada, "update comments set moderation = 'hidden' where id = $1", [hidden]);
  await as(db, paolo, "update notices set read_at = now()");
  await send();
  expect(textOf(ada)[0]).toContain("Words that stay");
  expect(textOf(ada)[0]).not.toMatch(/Withdrawn|Hidden/);
  expect(textOf(paolo)).toEqual([]);
  const { rows } = await db.query("select state from private.outbox where recipient = $1", [paolo.email]);
  expect(rows).toEqual([{ state: "skipped" }]);
});

test("no email goes to people who are unsubscribed, unconfirmed, viewers, former members or opted out", async () => {
  const ada = await commenter(db, "Ada");
  const gina = await commenter(db, "Gina");
  const others = {
    unsubscribed: await commenter(db, "U", { mail: "daily" }),
    unconfirmed: await commenter(db, "C", { mail: "daily" }),
    looks: await commenter(db, "L"),
    left: await commenter(db, "G", { mail: "daily" }),
    never: await commenter(db, "N", { mail: "never" }),
  };
  const memory = await memoryOf(db, ada, { contributor: gina });
  for (const { id } of Object.values(others)) {
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [memory, id]);
  }
  await db.query("insert into email_preferences (email, unsubscribed) values ($1, true)", [others.unsubscribed.email]);
  await db.query("update auth.users set email_confirmed_at = null where id = $1", [others.unconfirmed.id]);
  await say(db, gina, memory, "The boat");
  await as(db, others.left, "delete from memory_members where user_id = $1", [others.left.id]);
  await tellPeople(db, tomorrow());
  await send();
  for (const person of Object.values(others)) expect(inbox.received(person.email)).toEqual([]);
  expect(inbox.received(ada.email)).toHaveLength(1);
});

test("one click ends the emails about a memory (RFC 8058), and the page can undo it", async () => {
  const ada = await commenter(db, "Ada", { mail: "instantly" });
  const gina = await commenter(db, "Gina");
  const memory = await memoryOf(db, ada, { contributor: gina });
  await say(db, gina, memory, "First");
  await tellPeople(db, later(1000));
  await send();
  const headers = inbox.received(ada.email)[0]?.headers ?? {};
  expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  const link = new URL((headers["list-unsubscribe"] ?? "").slice(1, -1));
  const followed = await fetch(link, { redirect: "manual" });
  expect(followed.status).toBe(303);
  expect(followed.headers.get("location")).toMatch(/\/notices\/stop\?token=/);
  const post = (body: string, type: string, search = link.search) =>
    fetch(`${server.url}/functions/v1/stop-notices${search}`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
  const form = "application/x-www-form-urlencoded";
  expect((await post("other=thing", form)).status).toBe(400);
  expect((await post("List-Unsubscribe=One-Click", form, link.search.slice(0, -3))).status).toBe(400);
  expect((await post("List-Unsubscribe=One-Click", form)).status).toBe(200);
  expect(await as(db, ada, "select mail from notice_preferences")).toEqual([{ mail: "never" }]);
  await say(db, gina, memory, "Second");
  await tellPeople(db, later(HOUR));
  await send();
  expect(inbox.received(ada.email)).toHaveLength(1);
  expect((await kindsOf(db, ada)).length).toBe(2);
  const token = link.searchParams.get("token");
  const back = await post(JSON.stringify({ token, stopped: false }), "application/json", "");
  expect(await back.json()).toEqual({ about: "memory", stopped: false });
  await say(db, gina, memory, "Third");
  await tellPeople(db, later(2 * HOUR));
  await send();
  expect(textOf(ada)[1]).toContain("Third");
});

test("a pause stops emails until it is lifted or its day comes, and what happened during it is not mailed afterwards", async () => {
  const ada = await commenter(db, "Ada", { mail: "instantly" });
  const gina = await commenter(db, "Gina");
  const memory = await memoryOf(db, ada, { contributor: gina });
  await as(db, ada, "update notice_settings set paused_until = current_date + 10");
  await say(db, gina, memory, "During it");
  await tellPeople(db, later(1000));
  await as(db, ada, "update notice_settings set paused_until = null");
  await tellPeople(db, later(2000));
  await send();
  expect(inbox.received(ada.email)).toEqual([]);
  await say(db, gina, memory, "After it");
  await tellPeople(db, later(3000));
  await send();
  expect(textOf(ada)).toHaveLength(1);
  expect(textOf(ada)[0]).not.toContain("During it");

  // This one ends by itself.
  await as(db, ada, "update notice_settings set paused_until = current_date + 10");
  await say(db, gina, memory, "Before its day");
  await tellPeople(db, later(4000));
  await say(db, gina, memory, "On its day");
  await tellPeople(db, later(8 * 24 * HOUR));
  await send();
  expect(textOf(ada)).toHaveLength(1);
  await say(db, gina, memory, "After its day");
  await tellPeople(db, later(12 * 24 * HOUR));
  await send();
  expect(textOf(ada)).toHaveLength(2);
  expect(textOf(ada)[1]).toContain("After its day");
  expect(textOf(ada)[1]).not.toMatch(/Before|On its day/);
});

test("a chosen frequency also applies to notices that wait for another time", async () => {
  const ada = await commenter(db, "Ada");
  const gina = await commenter(db, "Gina");
  const memory = await memoryOf(db, ada, { contributor: gina });
  await say(db, gina, memory, "Waits for the morning");
  await tellPeople(db, later(0));
  await send();
  expect(textOf(ada)).toEqual([]);
  await as(db, ada, "insert into notice_preferences (memory_id, mail) values ($1, 'instantly')", [memory]);
  await tellPeople(db, later(1000));
  await send();
  expect(textOf(ada)[0]).toContain("Waits for the morning");

  await as(db, ada, "update notice_preferences set mail = 'daily'");
  await say(db, gina, memory, "Not wanted");
  await tellPeople(db, later(2000));
  await as(db, ada, "delete from notice_preferences");
  await as(db, ada, "update notice_settings set mail = 'never'");
  await tellPeople(db, later(3000));
  await as(db, ada, "update notice_settings set mail = 'instantly'");
  await tellPeople(db, tomorrow());
  await send();
  expect(textOf(ada)).toHaveLength(1);
});

test("a reminder follows a date that was changed", async () => {
  const ada = await commenter(db, "Ada", { zone: "UTC" });
  const memory = await memoryOf(db, ada);
  await db.query("update memories set birth_date = '1936-09-01' where id = $1", [memory]);
  await as(db, ada, "insert into memory_reminders (memory_id, occasion) values ($1, 'birthday')", [memory]);
  await tellPeople(db, new Date("2027-03-04T12:00:00Z"));
  expect(await kindsOf(db, ada)).toEqual([]);
  await db.query("update memories set birth_date = '1936-03-04' where id = $1", [memory]);
  await tellPeople(db, new Date("2027-03-04T12:01:00Z"));
  expect(await kindsOf(db, ada)).toEqual(["birthday"]);
});

test("a chosen reminder comes once a year, in the morning of each reader's time zone", async () => {
  const ada = await commenter(db, "Ada", { zone: "Pacific/Auckland" });
  const gina = await commenter(db, "Gina", { zone: "America/Los_Angeles", language: "it" });
  const paused = await commenter(db, "Paolo", { zone: "Pacific/Auckland" });
  const memory = await memoryOf(db, ada, { contributor: gina, viewer: paused });
  await db.query("update memories set birth_date = '1936-02-29', passing_date = '2020-11-03' where id = $1", [memory]);
  const at = (time: string) => tellPeople(db, new Date(time));
  await at("2027-02-28T12:00:00Z");
  expect(await kindsOf(db, ada)).toEqual([]);
  await as(db, ada, "insert into memory_reminders (memory_id, occasion) values ($1, 'birthday')", [memory]);
  await as(db, paused, "insert into notice_preferences (memory_id, paused_until) values ($1, '2027-03-01')", [memory]);
  // 7:59 and 8:00 in Auckland, on the last day of a February without a 29th.
  await at("2027-02-27T18:59:00Z");
  expect(await kindsOf(db, ada)).toEqual([]);
  await Promise.all([at("2027-02-27T19:00:00Z"), at("2027-02-27T19:00:00Z")]);
  await at("2027-02-27T19:01:00Z");
  expect(await as(db, ada, "select kind, count, on_date::text from notices")).toEqual([
    { kind: "birthday", count: 91, on_date: "2027-02-28" },
  ]);
  expect(await kindsOf(db, gina)).toEqual([]);
  await at("2027-02-28T16:00:00Z");
  await send();
  expect([await kindsOf(db, gina), await kindsOf(db, paused)]).toEqual([["birthday"], []]);
  expect(textOf(ada)).toHaveLength(1);
  expect(textOf(gina)[0]).toContain("Nonna Rosa avrebbe compiuto 91 anni");
  await at("2028-02-28T20:00:00Z");
  expect((await kindsOf(db, ada)).length).toBe(2);
});

test.each(["1936", "1936-02", "1936-21", "1936-02-28~"])(
  "a birth date known as %s causes no reminder",
  async (birth_date) => {
    const ada = await commenter(db, "Ada", { zone: "UTC" });
    const memory = await memoryOf(db, ada);
    await db.query("update memories set birth_date = $2 where id = $1", [memory, birth_date]);
    await as(db, ada, "insert into memory_reminders (memory_id, occasion) values ($1, 'birthday')", [memory]);
    for (const day of ["2027-01-01", "2027-02-01", "2027-02-28", "2027-03-01"]) {
      await tellPeople(db, new Date(`${day}T12:00:00Z`));
    }
    expect(await kindsOf(db, ada)).toEqual([]);
  },
);

test("a locked link and nearly full storage are mailed at once, even to readers of weekly emails", async () => {
  const ada = await commenter(db, "Ada", { mail: "weekly" });
  const memory = await memoryOf(db, ada);
  await db.query(
    "update share_links set locked_until = now() + interval '5 minutes', label = 'Cousins' where memory_id = $1",
    [memory],
  );
  await addPhotos(db, ada, memory, 25, Math.ceil((1024 ** 3 * 0.8) / 25));
  await tellPeople(db, later(0));
  await tellPeople(db, later(2 * 60_000));
  await tellPeople(db, later(3 * 60_000));
  await send();
  const texts = textOf(ada);
  expect(texts).toHaveLength(2);
  expect(texts.join()).toContain("Nobody got in");
  expect(texts.join()).toContain("Cousins");
  expect(texts.join()).toContain("More than 75% of your storage is used");
});
