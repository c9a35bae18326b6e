import { QueryClient } from "@tanstack/react-query";
import { beforeAll, expect, test } from "vitest";
import { photosQuery } from "../../web/data/media.queries.ts";
import type { Photo } from "../../web/data/photo.ts";
import { movePhotos } from "../../web/features/photos/photos.queries.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
let ada: Owner;
let bob: Owner;
let other: string;

beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  bob = await ownerOf(server, "Somebody else's");
  await givePlan(server.db, ada.userId);
  const { rows } = await server.db.query<{ id: string }>(
    "insert into memories (user_id, person_name) values ($1, 'Nonno Aldo') returning id",
    [ada.userId],
  );
  other = rows[0]?.id ?? "";
});

const client = () => server.client(ada.token);
const photosOf = (memoryId: string): Promise<Photo[]> => new QueryClient().fetchQuery(photosQuery(client(), memoryId));

test("photos move to another memory with their bytes and captions, and back", async () => {
  const bytes = await jpeg();
  for (let n = 0; n < 3; n++) await client().storage.from("media").upload(freshName(ada.memoryId), bytes);
  const [first, second, stays] = await photosOf(ada.memoryId);
  if (!first || !second || !stays) throw new Error("The photos are not there");
  await client().from("media").update({ caption: "The garden" }).eq("id", first.id);
  const { data: before } = await client().storage.from("media").createSignedUrl(first.object_name, 60);

  const there = await movePhotos(client(), [first, second], other);
  expect(there.remaining).toEqual([]);
  expect((await photosOf(ada.memoryId)).map(({ id }) => id)).toEqual([stays.id]);
  const moved = await photosOf(other);
  expect(moved.map(({ id, caption }) => [id, caption]).sort()).toEqual(
    [
      [first.id, "The garden"],
      [second.id, ""],
    ].sort(),
  );
  const { data: remaining } = await client()
    .storage.from("media")
    .download(there.moved[0]?.object_name ?? "");
  expect(Buffer.from((await remaining?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
  // A signed URL names the object's earlier path.
  expect((await fetch(before?.signedUrl ?? "")).ok).toBe(false);

  const back = await movePhotos(client(), there.moved, ada.memoryId);
  expect(back.moved).toHaveLength(2);
  expect(await photosOf(ada.memoryId)).toHaveLength(3);
});

test("a timeline entry loses a photo that moves to another memory, and can still be changed", async () => {
  const name = freshName(ada.memoryId);
  await client()
    .storage.from("media")
    .upload(name, await jpeg(), { metadata: {} });
  const photo = (await photosOf(ada.memoryId)).find(({ object_name }) => object_name === name);
  if (!photo) throw new Error("The photo is not there");
  const { data: entry } = await client()
    .from("memory_entries")
    .insert({ memory_id: ada.memoryId, title: "The wedding", media_id: photo.id })
    .select("id")
    .single()
    .throwOnError();
  expect((await movePhotos(client(), [photo], other)).moved).toHaveLength(1);
  const { data: changed } = await client()
    .from("memory_entries")
    .update({ title: "Our wedding" })
    .eq("id", entry.id)
    .select("title, media_id")
    .throwOnError();
  expect(changed).toEqual([{ title: "Our wedding", media_id: null }]);
});

test("photos that may not be moved to a memory stay, and are reported", async () => {
  const before = await photosOf(ada.memoryId);
  const { moved, remaining, full } = await movePhotos(client(), before, bob.memoryId);
  expect([moved.length, remaining.length, full]).toEqual([0, before.length, false]);
  expect(await photosOf(ada.memoryId)).toEqual(before);
});

test("photos that would exceed the other owner's storage stay, and the full storage is reported", async () => {
  const carol = await ownerOf(server, "A full one");
  await server.db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
    carol.memoryId,
    ada.userId,
  ]);
  // The free plan's gigabyte, used up by the rows of 32 objects.
  await server.db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     select 'media', $1 || '/' || gen_random_uuid() || '.jpg', $2::uuid, $2, gen_random_uuid()::text,
       '{"mimetype": "image/jpeg", "size": 33554432}' from generate_series(1, 32)`,
    [carol.memoryId, carol.userId],
  );
  const before = await photosOf(ada.memoryId);
  const { moved, full } = await movePhotos(client(), before, carol.memoryId);
  expect([moved.length, full]).toEqual([0, true]);
  expect(await photosOf(ada.memoryId)).toHaveLength(before.length);
});
