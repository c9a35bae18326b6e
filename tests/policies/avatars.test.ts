import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { pictureName } from "../../web/data/picture-name.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);
const refused = { code: "42501" };

const add = (caller: Caller, name: string, bucket = "avatars") =>
  run(
    caller,
    `insert into storage.objects (bucket_id, name, version, metadata)
     values ($2, $1, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
    [name, bucket],
  );
const AVATAR = "select from storage.objects where bucket_id = 'avatars' and name = $1";
const readers = async (text: string, id: string) => {
  const seen: string[] = [];
  for (const [who, caller] of Object.entries(world.callers)) {
    if ((await run(caller, text, [id])).length > 0) seen.push(who);
  }
  return seen.sort();
};

test("pictures of people are added, replaced and removed only by the person shown", async () => {
  const { owner, stranger, viewer, visitor, service } = world.callers;
  for (const caller of [owner, viewer, visitor]) {
    await expect(add(caller, await pictureName(world.bob))).rejects.toMatchObject(refused);
    await expect(add(caller, world.bob)).rejects.toMatchObject(refused);
  }
  for (const name of [`${world.bob}/1`, `${world.bob}.jpg`, world.memoryId]) {
    await expect(add(stranger, name)).rejects.toMatchObject(refused);
  }
  await add(stranger, await pictureName(world.bob));
  const own = ["avatars", await pictureName(world.bob)];
  const change = "update storage.objects set version = 'v' where bucket_id = $1 and name = $2 returning name";
  const remove = "delete from storage.objects where bucket_id = $1 and name = $2 returning name";
  for (const text of [change, remove]) {
    for (const caller of [owner, viewer, visitor]) expect(await run(caller, text, own)).toEqual([]);
    expect(await run(stranger, text, own)).toHaveLength(1);
  }
  // Another bucket has other limits, so an object cannot move between buckets.
  for (const caller of [owner, service]) {
    const move = "update storage.objects set bucket_id = 'avatars', name = $2 where id = $1";
    await expect(run(caller, move, [world.objectId, world.ada])).rejects.toMatchObject(refused);
  }
});

test("pictures of people are visible only to callers who can read the person's name", async () => {
  await add(world.callers.owner, world.ada);
  await add(world.callers.viewer, world.people.viewer);
  // Ada has written a comment; the viewer is only one of the memory's people.
  const creditReaders = await readers(
    "select from comment_credits where comment_id = $1 and name = 'Ada'",
    world.commentId,
  );
  expect(await readers(AVATAR, await pictureName(world.ada))).toEqual(creditReaders.filter((who) => who !== "wall"));
  expect(creditReaders).toEqual(expect.arrayContaining(["guest", "visitor"]));
  // Its name is not the account's id, also if it was uploaded under it.
  expect(await readers(AVATAR, world.ada)).toEqual([]);
  expect((await readers(AVATAR, await pictureName(world.people.viewer))).join()).toBe(
    "co-owner,contributor,owner,service,viewer",
  );
  await run(world.callers.service, "delete from storage.objects where bucket_id = 'avatars'");
});
