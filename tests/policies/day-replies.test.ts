import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import type { Row } from "../../shared/database.ts";
import { testDatabase } from "../support/database.ts";
import { repliesTo } from "../support/day-replies.ts";
import { makeWorld, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
const world: World = await makeWorld(db);
const { memoryId, streamedEntryId: service } = world;
const { owner } = world.callers;

type Settings = Parameters<typeof change>[0];
type Given = NonNullable<Parameters<typeof reply>[1]>;
const { run, ask, change, reply, newGuest } = repliesTo(db, world);

beforeEach(async () => {
  await db.query("delete from day_replies");
  await db.query("delete from memory_entries where id <> $1", [service]);
  await db.query("delete from day_reply_settings");
  await ask();
});

const stored = (id: string) =>
  db
    .query<Row<"day_replies">>("select * from day_replies where id = $1", [id])
    .then(({ rows }) => rows[0] ?? expect.fail("gone"));

/** The claims about the link of a guest. */
const shareOf = ({ share }: Caller) => share as { link: string; guest: string };

const addPart = async (audience: "all" | "members", memory = memoryId) => {
  const id = randomUUID();
  await db.query(
    `insert into memory_entries (id, memory_id, title, part, on_date, time_zone, audience)
     values ($1, $2, 'Burial', 'burial', '2019-05-09', 'Europe/Rome', $3)`,
    [id, memory, audience],
  );
  return id;
};

describe("who replies", () => {
  test.each<[Who, boolean]>([
    ["nobody", false],
    ["stranger", false],
    ["visitor", false],
    ["superseded", false],
    ["guest", true],
    ["viewer", true],
    ["contributor", true],
    ["co-owner", true],
    ["owner", true],
    ["service", false],
    ["administrator", false],
  ])("%s: %s", async (who, allowed) => {
    const done = await reply(world.callers[who]).then(
      () => true,
      () => false,
    );
    expect(done).toBe(allowed);
    expect((await db.query("select from day_replies")).rows).toHaveLength(allowed ? 1 : 0);
  });

  test("a guest of a link for looking only, and a signed-in person with a link, too", async () => {
    const guest = await newGuest("Ben", world.openLinkId);
    expect(await reply(guest)).toMatchObject({ waiting: false });
    const share = shareOf(guest);
    const signedIn = { ...world.callers.stranger, share: { link: share.link, version: 1 } };
    await reply(signedIn, { names: ["Bob"] });
    expect(await run(signedIn, "select names from day_replies")).toEqual([{ names: ["Bob"] }]);
  });

  test("nobody through a link that was closed, only takes photos, or from which they are blocked", async () => {
    const { rows } = await db.query<{ id: string }>(
      "insert into share_links (memory_id, rights) values ($1, 'contribute') returning id",
      [memoryId],
    );
    const link = rows[0]?.id ?? "";
    const guest = async (change: string): Promise<Caller> => {
      const changed = await db.query<{ version: number }>(
        `update share_links set ${change} where id = $1 returning version`,
        [link],
      );
      const caller = await newGuest("Ben", link);
      return { ...caller, share: { ...(caller.share as object), version: changed.rows[0]?.version } };
    };
    await reply(await guest("label = 'Ours'"));
    await expect(reply(await guest("rights = 'upload'"))).rejects.toMatchObject({ code: "PT404" });
    await expect(reply(await guest("rights = 'contribute', revoked_at = now()"))).rejects.toMatchObject({
      code: "PT404",
    });
    const blocked = await guest("revoked_at = null");
    await db.query("update guests set blocked_at = now() where id = $1", [(blocked.share as { guest: string }).guest]);
    await expect(reply(blocked)).rejects.toMatchObject({ code: "PT404" });
  });

  test("nobody to a memory without parts that ask", async () => {
    await change({ parts: [] });
    await expect(reply(world.callers.guest)).rejects.toMatchObject({ code: "PT404" });
    await expect(reply(world.callers.viewer)).rejects.toMatchObject({ code: "PT404" });
    expect(await run(world.callers.guest, "select from day_reply_settings")).toEqual([]);
    expect(await run(world.callers.owner, "select from day_reply_settings")).toHaveLength(1);
  });

  test("only members to a part that is for them, and its settings are theirs alone", async () => {
    const burial = await addPart("members");
    await change({ parts: [burial] });
    await expect(reply(world.callers.guest)).rejects.toMatchObject({ code: "PT404" });
    expect(await run(world.callers.guest, "select from day_reply_settings")).toEqual([]);
    await reply(world.callers.viewer, { parts: [burial] });
    await change({ parts: [burial, service] });
    await expect(reply(world.callers.guest, { parts: [burial] })).rejects.toMatchObject({ hint: "part_gone" });
  });
});

describe("who reads replies", () => {
  test.each<[Who, string[]]>([
    ["nobody", []],
    ["stranger", []],
    ["visitor", []],
    ["superseded", []],
    ["guest", ["Gina"]],
    ["viewer", ["Vera"]],
    ["contributor", []],
    ["co-owner", ["Ben", "Gina", "Vera"]],
    ["owner", ["Ben", "Gina", "Vera"]],
    ["administrator", []],
  ])("%s: %j", async (who, names) => {
    await reply(world.callers.guest);
    await reply(await newGuest("Ben"), { names: ["Ben"] });
    await reply(world.callers.viewer, { names: ["Vera"] });
    const rows = await run<{ name: string }>(world.callers[who], "select names[1] as name from day_replies order by 1");
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  test("no one of another guest's, by their id", async () => {
    const { id } = await reply(await newGuest("Ben"), { names: ["Ben"] });
    await expect(reply(world.callers.guest, { id, revision: 1 })).rejects.toMatchObject({ code: "PT404" });
    await expect(run(world.callers.guest, "select delete_day_reply($1)", [id])).rejects.toMatchObject({
      code: "PT404",
    });
    await expect(run(world.callers.viewer, "select delete_day_reply($1)", [id])).rejects.toMatchObject({
      code: "PT404",
    });
    // A manager of one memory reaches no reply of another.
    await db.query("insert into day_reply_settings (memory_id) values ($1) on conflict do nothing", [
      world.bobsMemoryId,
    ]);
    await expect(reply(world.callers.stranger, { id, revision: 1 }, world.bobsMemoryId)).rejects.toMatchObject({
      code: "PT404",
    });
    expect((await stored(id)).names).toEqual(["Ben"]);
  });
});

describe("a reply", () => {
  test("sent twice is one, also by two pages at once", async () => {
    const answer = { names: ["Gina", ""], note: "Happily" };
    const results = await Promise.all(Array.from({ length: 8 }, () => reply(world.callers.guest, answer)));
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect((await db.query("select revision from day_replies")).rows).toEqual([{ revision: 1 }]);
  });

  test("does not overwrite another one of the same guest unseen", async () => {
    await reply(world.callers.guest);
    await expect(reply(world.callers.guest, { names: ["Gina", "Leo"] })).rejects.toMatchObject({
      code: "PT409",
      hint: "conflict",
    });
    await reply(world.callers.guest, { names: ["Gina", "Leo"], revision: 1 });
    await expect(reply(world.callers.guest, { answer: "no", revision: 1 })).rejects.toMatchObject({ hint: "conflict" });
    // The answer to the last change was lost: it is repeated over the earlier revision.
    expect(await reply(world.callers.guest, { names: ["Gina", "Leo"], revision: 1 })).toMatchObject({ revision: 2 });
  });

  test.each<[string, Given, string]>([
    ["no answer", { answer: null }, "no_answer"],
    ["another answer", { answer: "perhaps" }, "no_answer"],
    ["no name", { names: [] }, "name_missing"],
    ["a blank first name", { names: [" \u200b"] }, "name_missing"],
    ["a long name", { names: ["x".repeat(101)] }, "name_too_long"],
    ["21 persons", { names: ["Gina", ...Array<string>(20).fill("")] }, "too_many_persons"],
    ["a long note", { note: "x".repeat(1001) }, "note_too_long"],
    ["no part", { parts: [] }, "no_part"],
    ["a foreign part", { parts: [randomUUID()] }, "part_gone"],
    ["answers that are none", { answers: [] }, "wrong_answers"],
  ])("with %s is refused with a sentence", async (_what, input, hint) => {
    await expect(reply(world.callers.guest, input)).rejects.toMatchObject({
      hint,
      message: expect.stringMatching(/^[A-Z].{10,}\.$/),
    });
  });

  test("has the names as they are read, and blanks for others", async () => {
    const { id } = await reply(world.callers.guest, { names: ["  Gina \u202e Rossi", "", " Leo\n"] });
    expect((await stored(id)).names).toEqual(["Gina Rossi", "", "Leo"]);
    await reply(world.callers.guest, { answer: "no", names: ["Gina Rossi", "Leo"], revision: 1 });
    expect(await stored(id)).toMatchObject({ names: ["Gina Rossi"], part_ids: [] });
  });

  test("is closed by the server's clock, for guests and not for managers", async () => {
    const { id } = await reply(world.callers.guest);
    const [past] = (await db.query<{ at: string }>("select now() - interval '1 second' as at")).rows;
    await change({ closes_at: past?.at ?? null });
    await expect(reply(world.callers.guest, { answer: "no", revision: 1 })).rejects.toMatchObject({ hint: "closed" });
    await expect(reply(await newGuest())).rejects.toMatchObject({ hint: "closed" });
    await reply(owner, { id, answer: "maybe", revision: 1 });
    expect(await run(world.callers.guest, "select answer from day_replies")).toEqual([{ answer: "maybe" }]);
  });

  test("keeps the parts that its guest is not asked about, and loses deleted ones", async () => {
    const burial = await addPart("members");
    await change({ parts: [service, burial] });
    const { id } = await reply(world.callers.guest);
    await reply(owner, { id, parts: [service, burial], revision: 1 });
    await reply(world.callers.guest, { names: ["Gina", "Leo"], revision: 2 });
    expect((await stored(id)).part_ids.sort()).toEqual([service, burial].sort());
    await run(owner, "delete from memory_entries where id = $1", [burial]);
    expect((await stored(id)).part_ids).toEqual([service]);
  });

  test("to an invitation has at most as many persons as were invited", async () => {
    const id = randomUUID();
    await reply(owner, { id, answer: null, names: ["Famiglia Rossi", ""], parts: [], most: 2 });
    const guest = await newGuest("Famiglia Rossi");
    const share = shareOf(guest);
    await db.query("update day_replies set guest_id = $2 where id = $1", [id, share.guest]);
    expect(await run(guest, "select answer, names from day_replies")).toEqual([
      { answer: null, names: ["Famiglia Rossi", ""] },
    ]);
    const three = { names: ["Rosa", "Leo", "Ada"], revision: 1 };
    await expect(reply(guest, three)).rejects.toMatchObject({ hint: "too_many_persons", detail: "2" });
    expect(await reply(guest, { ...three, names: ["Rosa", "Leo"] })).toMatchObject({ id, revision: 2 });
  });

  test("goes with the account that gave it, and stays without the guest", async () => {
    const { id } = await reply(world.callers.guest);
    const share = shareOf(world.callers.guest);
    const copy = await newGuest();
    await db.query("update day_replies set guest_id = $2 where id = $1", [id, (copy.share as { guest: string }).guest]);
    await db.query("delete from guests where id = $1 and id <> $2", [
      (copy.share as { guest: string }).guest,
      share.guest,
    ]);
    expect(await stored(id)).toMatchObject({ guest_id: null, names: ["Gina"] });
  });
});

describe("a personal link", () => {
  const keyHash = (key: string) => createHash("sha256").update(key).digest("hex");
  /** The guest that a key identifies at the open link. */
  const guestOf = async (key: string) =>
    (await db.query<{ id: string }>("select id from private.known_guest($1, $2)", [world.openLinkId, [keyHash(key)]]))
      .rows[0]?.id;
  const invite = async (who: Who, id: string, link = world.openLinkId) => {
    const [row] = await run<{ key: string }>(world.callers[who], "select invite_to_day($1, $2) as key", [id, link]);
    return row?.key ?? "";
  };
  const write = async () => (await reply(owner, { id: randomUUID(), answer: null, names: ["Rossi", ""], most: 2 })).id;

  test.each<[Who, boolean]>([
    ["owner", true],
    ["co-owner", true],
    ["contributor", false],
    ["viewer", false],
    ["stranger", false],
    ["guest", false],
    ["nobody", false],
  ])("is made by %s: %s", async (who, allowed) => {
    const id = await write();
    const key = await invite(who, id).catch(() => "");
    expect(key).toMatch(allowed ? /^[0-9a-f]{64}$/ : /^$/);
  });

  test("opens the reply of its household and no other, until a new one is made", async () => {
    const id = await write();
    const first = await invite("owner", id);
    const guest: Caller = { role: "anon", share: { link: world.openLinkId, version: 1, guest: await guestOf(first) } };
    expect(await run(guest, "select id, names from day_replies")).toEqual([{ id, names: ["Rossi", ""] }]);
    expect(await reply(guest, { names: ["Rosa", "Leo"], revision: 1 })).toMatchObject({ id, revision: 2 });
    const second = await invite("owner", id);
    expect(await guestOf(first)).toBeUndefined();
    expect(await guestOf(second)).toBe(shareOf(guest).guest);
    expect(JSON.stringify((await db.query("select * from day_replies")).rows)).not.toContain(second);
  });

  test("is not made for people who came by themselves, nor by a link that does not show this memory", async () => {
    const own = await reply(world.callers.guest);
    await expect(invite("owner", own.id)).rejects.toMatchObject({ code: "PT409", hint: "own_link" });
    const account = await reply(world.callers.viewer, { names: ["Vera"] });
    await expect(invite("owner", account.id)).rejects.toMatchObject({ hint: "own_link" });
    const id = await write();
    const { rows } = await db.query<{ id: string }>("select id from share_links where memory_id = $1", [
      world.bobsMemoryId,
    ]);
    await expect(invite("owner", id, rows[0]?.id)).rejects.toMatchObject({ code: "PT410" });
    const upload = await db.query<{ id: string }>(
      "insert into share_links (memory_id, rights) values ($1, 'upload') returning id",
      [memoryId],
    );
    await expect(invite("owner", id, upload.rows[0]?.id)).rejects.toMatchObject({ code: "PT410" });
  });
});

describe("questions", () => {
  const [diet, song, bus] = [randomUUID(), randomUUID(), randomUUID()];
  const questions: Settings["questions"] = [
    { id: diet, kind: "several", text: "Diet", choices: ["Vegetarian", "No gluten"] },
    { id: song, kind: "text", text: "A song", choices: [] },
    { id: bus, kind: "one", text: "The bus", choices: ["Yes", "No"] },
  ];

  test("are answered, and answers to others are left out", async () => {
    await change({ questions });
    const answers = { [diet]: ["No gluten", "Vegetarian"], [song]: ["Azzurro"], [bus]: ["No"] };
    const { id } = await reply(world.callers.guest, { answers: { ...answers, [randomUUID()]: ["x"] } });
    expect((await stored(id)).answers).toEqual(answers);
    await reply(world.callers.guest, { answers: { [diet]: [], [song]: [" "] }, revision: 1 });
    expect((await stored(id)).answers).toEqual({});
  });

  test.each<[unknown, string]>([
    [{ [diet]: ["Meat"] }, "choice_gone"],
    [{ [bus]: ["Yes", "No"] }, "wrong_answers"],
    [{ [bus]: "Yes" }, "wrong_answers"],
    [{ [diet]: [1] }, "wrong_answers"],
    [{ [song]: ["x".repeat(501)] }, "answer_too_long"],
  ])("are not answered by %j", async (answers, hint) => {
    await change({ questions });
    await expect(reply(world.callers.guest, { answers })).rejects.toMatchObject({ hint });
  });

  test.each<[unknown, string]>([
    [{}, "too_many_questions"],
    [
      Array.from({ length: 9 }, () => ({ id: randomUUID(), kind: "text", text: "x", choices: [] })),
      "too_many_questions",
    ],
    [[{ id: diet, kind: "text", text: " ", choices: [] }], "wrong_question"],
    [[{ id: "x", kind: "text", text: "x", choices: [] }], "wrong_question"],
    [[{ id: diet, kind: "html", text: "x", choices: [] }], "wrong_question"],
    [[{ id: diet, kind: "text", text: "x", choices: [], more: 1 }], "wrong_question"],
    [["x"], "wrong_question"],
    [[{ id: diet, kind: "one", text: "x", choices: ["a"] }], "wrong_choices"],
    [[{ id: diet, kind: "one", text: "x", choices: ["a", "a"] }], "wrong_choices"],
    [[{ id: diet, kind: "one", text: "x", choices: ["a", 1] }], "wrong_choices"],
  ])("cannot be %j", async (wrong, hint) => {
    await expect(change({ questions: wrong as Settings["questions"] })).rejects.toMatchObject({ hint });
  });
});

describe("settings", () => {
  test.each<[Who, boolean]>([
    ["owner", true],
    ["co-owner", true],
    ["contributor", false],
    ["viewer", false],
    ["stranger", false],
    ["guest", false],
    ["nobody", false],
  ])("are changed by %s: %s", async (who, allowed) => {
    await ask({ places: 7, revision: 1 }, world.callers[who]).catch(() => {});
    const { rows } = await db.query("select places from day_reply_settings");
    expect(rows).toEqual([{ places: allowed ? 7 : null }]);
  });

  test("of two managers do not overwrite each other, and the same again are one change", async () => {
    await ask({ places: 7, revision: 1 });
    await ask({ places: 7, revision: 1 });
    await expect(ask({ places: 9, revision: 1 })).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
    await expect(ask({ places: 9 })).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
    expect((await db.query("select places, revision from day_reply_settings")).rows).toEqual([
      { places: 7, revision: 2 },
    ]);
  });

  test("accept no place, zone or year that cannot be", async () => {
    await expect(change({ places: 0 })).rejects.toMatchObject({ code: "23514" });
    await expect(change({ time_zone: "CET" })).rejects.toMatchObject({ code: "23514" });
    await expect(change({ closes_at: "infinity" })).rejects.toMatchObject({ code: "23514" });
    const moment = run(owner, "update memory_entries set asks_replies = true where part is null returning id");
    expect(await moment).toEqual([]);
  });
});
