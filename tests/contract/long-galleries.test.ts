import { get } from "node:http";
import { QueryClient } from "@tanstack/react-query";
import { beforeAll, expect, test } from "vitest";
import { photosQuery } from "../../web/data/media.queries.ts";
import { memoryQuery } from "../../web/data/memories.queries.ts";
import { loadAll, loadRows, outlinedPhotos, outlineQuery } from "../../web/data/outline.queries.ts";
import { keyOf, type Photo } from "../../web/data/photo.ts";
import { inOrder, PHOTO_ORDERS } from "../../web/data/photo-order.ts";
import { yearsOf } from "../../web/features/photos/filter/photo-filter.ts";
import { recordingClient, type SentRequest } from "../support/recording-client.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf } from "../support/sharing.ts";

const COUNT = 10_000;
const MOST_BYTES = 150_000;
/** The photos of a large window and of what is near it. */
const NEAR = 100;

const server = await testServer();
const { db } = server;
let ada: Owner;

beforeAll(async () => {
  ada = await ownerOf(server, "Ada");
  await db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = replica");
    // As they compress worst: every size and colour is another one, and no photo was added in the order of its date.
    await tx.query(
      `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, created_at)
       select gen_random_uuid(), 'media', $1::uuid || '/' || gen_random_uuid() || '.jpg', $2::uuid, $2::uuid::text, gen_random_uuid()::text,
         '{"mimetype": "image/jpeg", "size": 4000000}', now() - make_interval(mins => n) from generate_series(1, $3::integer) n`,
      [ada.memoryId, ada.userId, COUNT],
    );
    await tx.query(
      `insert into media (id, memory_id, type, size, object_name, state, placeholder, colour, width, height, taken_at, position, created_at)
       select o.id, $1::uuid, 'image', 4000000, o.name, 'ready', 'data:image/webp;base64,' || repeat('x', 120),
         '#' || substr(md5(o.id::text), 1, 6), 2000 + random() * 4000, 2000 + random() * 4000,
         case when random() < 0.9 then (date '1950-01-01' + (random() * 27000)::integer)::text end,
         case when random() < 0.2 then random() end, o.created_at
       from storage.objects o where o.bucket_id = 'media' and o.name like $1::uuid || '/%'`,
      [ada.memoryId],
    );
    await tx.query(
      `insert into media_details (media_id, memory_id, user_id, file_name, mime_type, taken_at)
       select id, memory_id, $2, 'IMG ' || id || '.jpg', 'image/jpeg', taken_at || 'T10:00:00' from media where memory_id = $1`,
      [ada.memoryId, ada.userId],
    );
    await tx.query("insert into memory_counts select * from private.counted_memories($1)", [ada.userId]);
  });
  await db.exec("analyze media, media_details, storage.objects");
});

/** The owner, and a guest of the link. */
const bearers = async (): Promise<[string, string][]> => {
  const { body } = await open(server, ada.shareId);
  return [
    ["owner", ada.token],
    ["guest", String(body.token)],
  ];
};

/** The bytes of a response as a browser receives them. */
const bytesOf = ({ url, headers }: SentRequest) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers: { ...headers, "accept-encoding": "gzip, deflate, br, zstd" } }, (reply) => {
      let bytes = 0;
      reply.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      reply.on("end", () => resolve(bytes));
    }).on("error", reject);
  });

test("10,000 photos open in two requests and less than 150 KB, for their owner and for a guest", async () => {
  for (const [who, bearer] of await bearers()) {
    const sent: SentRequest[] = [];
    const client = recordingClient(server, bearer, (request) => sent.push(request)) as never;
    const cache = new QueryClient();
    // Loaded with the page before.
    await cache.fetchQuery(memoryQuery(client, ada.memoryId));
    sent.length = 0;
    const query = photosQuery(client, ada.memoryId, { outline: true });
    const read = () => cache.getQueryData(query.queryKey) ?? [];
    await cache.fetchQuery(query);
    expect(read()).toHaveLength(COUNT);
    const near = inOrder(read(), "taken").slice(5000, 5000 + NEAR);
    loadRows(cache, client, ada.memoryId, near);
    loadRows(cache, client, ada.memoryId, near);
    await expect.poll(() => read().filter(({ outlined }) => !outlined).length).toBe(NEAR);

    expect(
      sent.map(({ url }) => url.pathname),
      who,
    ).toEqual(["/rest/v1/rpc/photo_outline", "/rest/v1/rpc/photos_by_key"]);
    const bytes = await Promise.all(sent.map(bytesOf));
    expect(bytes[0], `${who}: ${bytes}`).toBeGreaterThan(10_000);
    expect(
      bytes.reduce((sum, one) => sum + one, 0),
      `${who}: ${bytes}`,
    ).toBeLessThan(MOST_BYTES);
    // Their places are those of the outline, and their rows are complete.
    const rows = inOrder(read(), "taken").slice(5000, 5000 + NEAR);
    expect(rows.map(({ id }) => keyOf(id))).toEqual(near.map(({ id }) => id));
    expect(rows.every(({ object_name }) => object_name.startsWith(ada.memoryId))).toBe(true);
    expect(rows.every(({ file_name }) => who === "guest" || file_name.startsWith("IMG"))).toBe(true);
    expect(yearsOf(read()).map(({ year }) => year)).toContain("1974");
  }
});

test("an outline has the order, the dates and the shapes of the whole list, in every order of a gallery", async () => {
  const [, [, guest] = ["", ""]] = await bearers();
  const client = server.client(guest) as never;
  const cache = new QueryClient();
  const photos = await cache.fetchQuery(photosQuery(client, ada.memoryId));
  const shapeOf = ({ width, height }: Photo) => width && height && Math.round((width / height) * 1000);
  for (const order of PHOTO_ORDERS) {
    const outline = await cache.fetchQuery(outlineQuery(client, ada.memoryId, order));
    if (!outline) throw new Error("There is no outline");
    const outlined = inOrder(outlinedPhotos(outline, ada.memoryId, order).toReversed(), order);
    const whole = inOrder(photos, order);
    expect(
      outlined.map(({ id }) => id.slice(0, 8)),
      order,
    ).toEqual(whole.map(({ id }) => keyOf(id)));
    expect(outlined.map(shapeOf), order).toEqual(whole.map(shapeOf));
    if (order !== "added")
      expect(
        outlined.map(({ taken_at }) => taken_at),
        order,
      ).toEqual(whole.map(({ taken_at }) => taken_at));
  }
});

test("once all rows are loaded, they stay so", async () => {
  const client = server.client(ada.token) as never;
  const cache = new QueryClient();
  const query = photosQuery(client, ada.memoryId, { outline: true });
  await cache.fetchQuery(query);
  await loadAll(cache, photosQuery(client, ada.memoryId) as never);
  const isWhole = () => cache.getQueryData(query.queryKey)?.every(({ outlined, rank }) => !outlined && !rank);
  expect(isWhole()).toBe(true);
  await cache.fetchQuery({ ...query, staleTime: 0 });
  expect(isWhole()).toBe(true);
});

test("a stranger gets no outline, and keys of other memories no rows", async () => {
  const stranger = await ownerOf(server, "Eve");
  const client = server.client(stranger.token);
  const { data: outline } = await client.rpc("photo_outline", { memory_id: ada.memoryId });
  expect(outline).toEqual([]);
  const { rows } = await db.query<{ key: string }>("select left(id::text, 8) as key from media limit 3");
  const keys = rows.map(({ key }) => key);
  expect((await client.rpc("photos_by_key", { memory_id: ada.memoryId, keys })).data).toEqual([]);
  const owner = server.client(ada.token);
  expect((await owner.rpc("photos_by_key", { memory_id: ada.memoryId, keys })).data).toHaveLength(3);
  expect((await owner.rpc("photos_by_key", { memory_id: stranger.memoryId, keys })).data).toEqual([]);
  expect((await owner.rpc("photos_by_key", { memory_id: ada.memoryId, keys: ["%"] })).status).toBe(400);
});
