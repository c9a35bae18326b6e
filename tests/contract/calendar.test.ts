import { randomUUID } from "node:crypto";
import ICAL from "ical.js";
import { beforeEach, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, post, setPin } from "../support/sharing.ts";

const server = await testServer();
const { db } = server;

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Rosa, “la nonna”; née B\\C");
});

const NOTE = "Größe 😀 und, Komma; Semikolon\nneue Zeile ".repeat(8).trim();
const SERVICE = {
  part: "service",
  title: "Servizio; con, virgola",
  on_date: "2026-03-29",
  starts_at: "14:00",
  ends_at: "15:00",
  doors_at: "13:30",
  time_zone: "Europe/Rome",
  place: "San Zeno",
  address: "Piazza San Zeno 2\n37123 Verona",
  note: NOTE,
};
async function addPart(changes: object = {}): Promise<string> {
  const id = randomUUID();
  await savePart(id, { ...SERVICE, ...changes }, null);
  return id;
}
const savePart = (id: string, changes: object, revision: number | null) =>
  asCaller(db, ada.caller, (tx) =>
    tx.query("select save_day_part($1, $2, $3, $4)", [ada.memoryId, id, JSON.stringify(changes), revision]),
  );

/** The address of the calendar for the holder of a token. */
async function addressFor(token: string, language = "en"): Promise<string> {
  const { status, body } = await post(
    server,
    "calendar-link",
    { memoryId: ada.memoryId, language },
    { authorization: `Bearer ${token}` },
  );
  expect(status).toBe(200);
  return String(body.url);
}
const tokenOfLink = async () => String((await open(server, ada.shareId)).body.token);

async function read(url: string) {
  const reply = await fetch(url);
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

/** Parses a calendar by RFC 5545: unfolded lines as name, parameters and value, in components. */
function parsed(text: string) {
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const events: Record<string, string>[] = [];
  let inEvent = false;
  for (const line of text.replace(/\r\n[ \t]/g, "").split("\r\n")) {
    const [, name = "", value = ""] = /^([^:;]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    if (line === "BEGIN:VEVENT") events.push({});
    inEvent = line === "BEGIN:VEVENT" || (inEvent && line !== "END:VEVENT");
    const event = events.at(-1);
    if (inEvent && event && name !== "BEGIN") {
      event[name] = value.replace(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? "\n" : letter));
    }
  }
  return events;
}

test("a calendar has the parts with their moments, and their words whole", async () => {
  const id = await addPart();
  await addPart({
    title: "Reception",
    part: "reception",
    on_date: "2026-03-28",
    starts_at: null,
    ends_at: null,
    doors_at: null,
  });
  const { text, headers } = await read(await addressFor(ada.token));
  expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  const [reception, service] = parsed(text);
  // The clocks go forward on the morning of that day.
  expect(service).toMatchObject({
    UID: `${id}@skies`,
    SEQUENCE: "0",
    DTSTART: "20260329T120000Z",
    DTEND: "20260329T130000Z",
    SUMMARY: "Servizio; con, virgola, Rosa, “la nonna”; née B\\C",
    LOCATION: "San Zeno, Piazza San Zeno 2\n37123 Verona",
    STATUS: "CONFIRMED",
  });
  expect(service?.DESCRIPTION).toContain(NOTE);
  expect(service?.DESCRIPTION).toContain("Doors open: 13:30");
  // A second parser reads the same.
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  expect(events.map(({ uid, summary, location }) => [uid, summary, location])[1]).toEqual([
    service?.UID,
    service?.SUMMARY,
    service?.LOCATION,
  ]);
  expect(events[1]?.startDate.toJSDate()).toEqual(new Date("2026-03-29T12:00:00Z"));
  expect(events[1]?.description).toBe(service?.DESCRIPTION);
  expect(events[0]?.startDate.isDate).toBe(true);
  expect(reception).toMatchObject({ DTSTART: "20260328", DTEND: "20260329" });
});

test("a change raises the sequence of the same event, and a deleted part leaves the calendar", async () => {
  const id = await addPart();
  const url = await addressFor(ada.token, "it");
  await savePart(id, { starts_at: "15:00", ends_at: "16:00" }, 1);
  const [moved] = parsed((await read(url)).text);
  expect(moved).toMatchObject({ UID: `${id}@skies`, SEQUENCE: "1", DTSTART: "20260329T130000Z" });
  expect(moved?.DESCRIPTION).toContain("Apertura porte: 13:30");
  const single = await read(`${url}&part=${id}`);
  expect(single.headers.get("content-disposition")).toContain(".ics");
  expect(parsed(single.text)).toHaveLength(1);
  await asCaller(db, ada.caller, (tx) => tx.query("delete from memory_entries where id = $1", [id]));
  expect(parsed((await read(url)).text)).toEqual([]);
  expect((await read(`${url}&part=${id}`)).status).toBe(404);
});

test("a link's calendar is without the parts for members and without a livestream before its time", async () => {
  const id = await addPart({ stream_url: "https://example.com/live", stream_from: "2099-01-01T00:00:00Z" });
  await addPart({ title: "Burial", audience: "members" });
  const [link, owner] = [await addressFor(await tokenOfLink()), await addressFor(ada.token)];
  expect(parsed((await read(link)).text).map(({ UID }) => UID)).toEqual([`${id}@skies`]);
  expect((await read(link)).text).not.toContain("example.com");
  expect(parsed((await read(link)).text)[0]?.URL).toContain(`/shared/${ada.shareId}`);
  expect(parsed((await read(owner)).text)).toHaveLength(2);
  expect((await read(owner)).text.replace(/\r\n /g, "")).toContain("https://example.com/live");
  await savePart(id, { stream_from: "2020-01-01T00:00:00Z" }, Number((await revision(id)) ?? 0));
  expect((await read(link)).text.replace(/\r\n /g, "")).toContain("https://example.com/live");
});

const revision = async (id: string) =>
  (await db.query<{ revision: number }>("select revision from memory_entries where id = $1", [id])).rows[0]?.revision;

test("a link's calendar ends with the link, its PIN or its device, and a member's with the membership", async () => {
  await addPart();
  const withoutPin = await addressFor(await tokenOfLink());
  await setPin(server, ada, "4711");
  expect((await read(withoutPin)).status).toBe(410);
  const { body } = await open(server, ada.shareId, "4711");
  const withPin = await addressFor(String(body.token));
  expect((await read(withPin)).status).toBe(200);
  await db.query("delete from link_devices");
  expect((await read(withPin)).status).toBe(410);

  const bob = await ownerOf(server, "Bob");
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
    ada.memoryId,
    bob.userId,
  ]);
  const member = await addressFor(bob.token);
  expect((await read(member)).status).toBe(200);
  await db.query("update auth.users set banned_until = 'infinity' where id = $1", [bob.userId]);
  expect((await read(member)).status).toBe(410);
  await db.query("update auth.users set banned_until = null where id = $1", [bob.userId]);
  await db.query("delete from memory_members where user_id = $1", [bob.userId]);
  expect((await read(member)).status).toBe(410);
});

test("nobody gets an address without a right, and a forged or changed one is refused", async () => {
  const bob = await ownerOf(server, "Bob");
  for (const token of [bob.token, server.keys.publishable]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await post(server, "calendar-link", { memoryId: ada.memoryId }, headers)).status).toBe(404);
  }
  const url = await addressFor(bob.token).catch(() => undefined);
  expect(url).toBeUndefined();
  const own = new URL(await addressFor(ada.token));
  const [text = "", mac = ""] = (own.searchParams.get("token") ?? "").split(".");
  const changed = Buffer.from(text, "base64url").toString().replace(ada.memoryId, bob.memoryId);
  for (const token of ["", "x.y", text, `${Buffer.from(changed).toString("base64url")}.${mac}`, `${text}.${mac}x`]) {
    own.searchParams.set("token", token);
    expect((await read(own.href)).status).toBe(410);
  }
});
