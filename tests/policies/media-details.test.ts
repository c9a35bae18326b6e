import { beforeAll, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { allAnswers, answersWith, type Samples, samplesOf } from "../support/all-answers.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who, type World } from "../support/world.ts";

const db = await testDatabase();
/** Private data of the photos. */
const SECRETS = ["Ward 7 after the fall.jpg", "16:05:09", "a".repeat(64), "image/x-secret", "570F1469-09C7"];
let world: World;
let samples: Samples;
/** The photos of the contributor and of the guest. */
let photos: { contributor: string; guest: string };

beforeAll(async () => {
  world = await makeWorld(db);
  const { memoryId, people, callers, linkId } = world;
  photos = { contributor: await addPhoto(callers.contributor), guest: await addPhoto(callers.guest) };
  const ids = [memoryId, photos.contributor, photos.guest, linkId, people.contributor];
  samples = samplesOf(ids, photos.contributor);
});

async function addPhoto(caller: Caller): Promise<string> {
  const id = crypto.randomUUID();
  const facts = {
    mimetype: "image/x-secret",
    size: 3,
    sha256: "a".repeat(64),
    recorded: "2024-07-14T16:05:09",
    contentIdentifier: SECRETS[4],
  };
  await asCaller(db, caller, (tx) =>
    tx.query(
      `insert into storage.objects (id, bucket_id, name, owner, version, metadata, user_metadata)
       values ($1, 'media', $2, $3, gen_random_uuid()::text, $4, $5)`,
      [id, `${world.memoryId}/${id}.jpg`, caller.sub ?? null, facts, { filename: SECRETS[0] }],
    ),
  );
  await db.query("update media set state = 'ready' where id = $1", [id]);
  return id;
}

/**
 * All answers for a caller. Rows of the storage are excluded, because its routes decide about them; `storage-copies`
 * tests those.
 */
async function answersTo(caller: Caller) {
  const answers = await allAnswers(db, caller, samples);
  answers.delete("storage.objects");
  return answers;
}

test("visitors and viewers read no file name, time of day, hash, type or author of a photo, from any table or function", async () => {
  const { share } = world.callers.visitor;
  const visitors: [string, Caller][] = [
    ...(["nobody", "stranger", "visitor", "superseded", "viewer", "administrator"] as Who[]).map(
      (who): [string, Caller] => [who, world.callers[who]],
    ),
    ["a stranger who came by a link", { ...world.callers.stranger, share }],
    ["a viewer who came by a link", { ...world.callers.viewer, share }],
  ];
  for (const [who, caller] of visitors) {
    const answers = await answersTo(caller);
    expect([who, answersWith(answers, SECRETS)]).toEqual([who, []]);
    // Names of people are in separate rows. A photo's row does not contain their ids either.
    const media = answers.get("media") ?? "";
    expect([who, media.includes(world.people.contributor) || media.includes(world.guestId)]).toEqual([who, false]);
  }
});

test("managers, contributors and the guest who added a photo read all of these", async () => {
  for (const who of ["owner", "co-owner", "contributor", "guest"] as const) {
    const answers = await answersTo(world.callers[who]);
    for (const secret of SECRETS) expect([who, answersWith(answers, [secret])]).not.toEqual([who, []]);
  }
});

describe("the hidden fields of a photo", () => {
  const run = (caller: Caller, text: string, values: unknown[]) =>
    asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);

  test.each([
    ["file_name(m) = $2", SECRETS[0]],
    ["content_hash(m) = $2", SECRETS[2]],
    ["user_id(m)::text is distinct from $2 and user_id(m) is not null", "x"],
    ["taken_source(m) = $2", "video"],
    ["taken_at = $2", "2024-07-14T16:05:09"],
    ["exists (select from media_details d where d.media_id = m.id and d.file_name = $2)", SECRETS[0]],
  ])("are not found by a filter: %s", async (condition, value) => {
    const find = (caller: Caller) =>
      run(caller, `select id from media m where memory_id = $1 and ${condition}`, [world.memoryId, value]);
    for (const who of ["visitor", "viewer"] as const) expect(await find(world.callers[who])).toEqual([]);
    const photos = await find(world.callers.owner);
    expect(photos.length > 0).toBe(!condition.startsWith("taken_at"));
  });

  test("are read by a guest for their own photos only", async () => {
    const names = "select id, file_name(m) as name, taken_at from media m where id = any ($1) order by name";
    expect(await run(world.callers.guest, names, [[photos.contributor, photos.guest]])).toEqual([
      { id: photos.guest, name: SECRETS[0], taken_at: "2024-07-14" },
      { id: photos.contributor, name: null, taken_at: "2024-07-14" },
    ]);
  });
});

describe("photos of one day", () => {
  test("are in the order of their times even for a viewer, who cannot read the times", async () => {
    const { callers, memoryId } = world;
    const times = Array.from({ length: 24 }, (_, n) => `1999-01-02T10:${String(n).padStart(2, "0")}:00`);
    const orders = [
      times,
      times.toReversed(),
      [...times.filter((_, n) => n % 3 === 0), ...times.filter((_, n) => n % 3)],
    ];
    for (const order of orders) {
      const ids = new Map<string, string>();
      for (const time of order) {
        const id = await addPhoto(callers.owner);
        ids.set(id, time);
        await asCaller(db, callers.owner, (tx) => tx.query("update media set taken_at = $2 where id = $1", [id, time]));
      }
      const { rows } = await asCaller(db, callers.viewer, (tx) =>
        tx.query<{ id: string; taken_at: string }>(
          "select id, taken_at from media where memory_id = $1 and taken_at = '1999-01-02' order by taken_order, time_order",
          [memoryId],
        ),
      );
      expect(rows.map(({ id }) => ids.get(id))).toEqual(times);
      await db.query("delete from storage.objects where id = any ($1)", [[...ids.keys()]]);
    }
  });
});
