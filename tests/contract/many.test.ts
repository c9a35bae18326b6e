import { randomUUID } from "node:crypto";
import {
  type FetchInfiniteQueryOptions,
  type GetNextPageParamFunction,
  InfiniteQueryObserver,
  QueryClient,
} from "@tanstack/react-query";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { readContents } from "../../server/downloads/contents.ts";
import { photosQuery } from "../../web/data/media.queries.ts";
import { memoriesQuery, memoryCountQuery, memoryKindQuery } from "../../web/data/memories.queries.ts";
import { memoryUsesQuery, storageQuery, storageUseQuery } from "../../web/data/storage.queries.ts";
import { albumMemoriesQuery, albumQuery, albumsQuery } from "../../web/features/albums/albums.queries.ts";
import { noticesQuery } from "../../web/features/notices/notices.queries.ts";
import { ordersQuery } from "../../web/features/orders/orders.queries.ts";
import { peopleQuery } from "../../web/features/people/people.queries.ts";
import { cardLinkCountQuery, linksQuery } from "../../web/features/sharing/links/links.queries.ts";
import { openExplainer, watchedClient } from "../support/cost-of-requests.ts";
import { vacuumed } from "../support/database.ts";
import { sized } from "../support/long-tests.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";

const MEMORIES = sized(300, 1000);
const PHOTOS = sized(2200, 5000);
/** The number of rows in each other list. */
const OTHERS = sized(150, 300);

/** Tables with rows of all people, which no list may read completely. */
const LARGE = new Set(["memories", "media", "objects"]);

const server = await testServer();
const { db } = server;

let ada: Owner;
/** A person with one memory. */
let few: Owner;
let albumId: string;
/** The memory with all the photos. */
let memoryId: string;
let explain: Awaited<ReturnType<typeof openExplainer>>;
let watched: ReturnType<typeof watchedClient>;
let cache: QueryClient;

beforeAll(async () => {
  ada = await ownerOf(server, "The first");
  await givePlan(db, ada.userId);
  albumId = randomUUID();
  await db.query("insert into albums (id, user_id, name) values ($1, $2, 'Everybody')", [albumId, ada.userId]);
  await db.query(
    `insert into albums (user_id, name, position) select $1, 'Album ' || i, 1 + i / 10 from generate_series(1, $2::integer) i`,
    [ada.userId, OTHERS - 1],
  );
  // Many rows have the same time, so the ids also decide where a page begins.
  await db.query(
    `insert into memories (user_id, person_name, kind, album_id, album_position, created_at)
     select $1, 'No. ' || i || ' 100%', case i % 2 when 0 then 'event' else 'tribute' end, $2, i / 7,
       now() - make_interval(mins => 1 + i / 40) from generate_series(2, $3::integer) i`,
    [ada.userId, albumId, MEMORIES],
  );
  const { rows } = await db.query<{ id: string }>("select id from memories where user_id = $1 and person_name = $2", [
    ada.userId,
    `No. ${MEMORIES / 2} 100%`,
  ]);
  memoryId = rows[0]?.id ?? "";
  const photosOf = (condition: string, value: string, count: number) =>
    db.query(
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       select 'media', m.id || '/' || gen_random_uuid() || '.jpg', m.user_id, m.user_id::text, gen_random_uuid()::text,
         '{"mimetype": "image/jpeg", "size": 1000}' from memories m, generate_series(1, $2::integer) where m.${condition} = $1`,
      [value, count],
    );
  await photosOf("id", memoryId, PHOTOS);
  // As many rows of another person, among which Ada's must be found.
  const bob = await ownerOf(server, "Another");
  await givePlan(db, bob.userId);
  await db.query(
    `insert into memories (user_id, person_name, created_at) select $1, 'Another', now() - make_interval(mins => i / 40)
     from generate_series(1, $2::integer) i`,
    [bob.userId, MEMORIES],
  );
  await photosOf("user_id", bob.userId, 3);
  await db.query(
    "update media set state = 'ready', created_at = now() - make_interval(mins => abs(hashtext(id::text)) % 7)",
  );
  await db.query(
    `insert into notices (user_id, memory_id, kind, created_at)
     select $1, $2, 'comment', now() - make_interval(mins => i / 20) from generate_series(1, $3::integer) i`,
    [ada.userId, memoryId, OTHERS],
  );
  await db.query(
    `insert into share_links (memory_id, for_card, created_at) select $1, i % 2 = 0, now() + make_interval(mins => i / 20)
     from generate_series(1, 2 * $2::integer) i`,
    [memoryId, OTHERS],
  );
  await db.query(
    `with people as (insert into auth.users (id, email) select gen_random_uuid(), 'person' || i || '@example.com'
       from generate_series(1, $2::integer) i returning id)
     insert into memory_members (memory_id, user_id, role) select $1, id, 'viewer' from people`,
    [memoryId, OTHERS - 1],
  );
  await db.query(
    `insert into orders (user_id, email, number, status, currency, subtotal, total, created_at)
     select $1, 'ada@example.com', 'T-' || i, 'paid', 'GBP', 4500, 4500, now() - make_interval(mins => i / 20) from generate_series(1, $2::integer) i`,
    [ada.userId, OTHERS],
  );
  few = await ownerOf(server, "The only one");
  await vacuumed(db);
  explain = await openExplainer(server, ada.caller);
});

beforeEach(() => {
  watched = watchedClient(server, ada.token);
  cache = new QueryClient();
});

interface Row {
  id: string;
}

/** The common part of the queries of all lists that are read in pages. */
interface PagedQuery {
  queryKey: readonly unknown[];
}
type Fetched = FetchInfiniteQueryOptions<Row[], Error, Row[], readonly unknown[], unknown> & {
  getNextPageParam: GetNextPageParamFunction<unknown, Row[]>;
};

/** Reads a list to its end, like scrolling, without cached pages. */
async function toTheEnd(query: PagedQuery): Promise<Row[][]> {
  const { pages } = await new QueryClient().fetchInfiniteQuery({ ...(query as Fetched), pages: 1000 });
  return pages;
}

const lists: [string, () => PagedQuery, number, number][] = [
  ["memories", () => memoriesQuery(watched.client, ada.userId), 24, MEMORIES],
  ["finished memories", () => memoriesQuery(watched.client, ada.userId, { finished: true }), 24, MEMORIES],
  ["albums", () => albumsQuery(watched.client, ada.userId), 24, OTHERS],
  ["memories of an album", () => albumMemoriesQuery(watched.client, albumId), 24, MEMORIES - 1],
  ["notices", () => noticesQuery(watched.client, ada.userId), 50, OTHERS],
  ["orders", () => ordersQuery(watched.client, ada.userId), 20, OTHERS],
  ["links", () => linksQuery(watched.client, { kind: "memory", id: memoryId }), 20, OTHERS + 1],
  ["links of cards", () => linksQuery(watched.client, { kind: "memory", id: memoryId }, true), 20, OTHERS],
];

test.each(lists)(
  "any page of %s is read from an index, at the cost of its own rows",
  async (_what, query, size, count) => {
    const pages = await toTheEnd(query());
    expect(
      pages.every((page, number) => page.length === size || (number === pages.length - 1 && page.length < size)),
    ).toBe(true);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(count);
    expect(watched.reads.length).toBe(pages.length);
    const full = watched.reads.slice(0, Math.floor(count / size));
    const [first, last] = [full[0], full.at(-1)];
    if (!first || !last) throw new Error("There is no whole page");
    const [least, most] = [await explain(first), await explain(last)];
    // The cost depends on the rows of the page, not on those before it. A plan may use a few lookups for each row.
    expect(most.pages).toBeLessThanOrEqual(least.pages * 1.5 + size * 5);
    expect(most.wholly.filter((table) => LARGE.has(table))).toEqual([]);
  },
);

test("people of a memory come in pages, the owner first", async () => {
  const pages = await toTheEnd(peopleQuery(watched.client, memoryId));
  expect(pages[0]?.[0]).toMatchObject({ id: ada.userId, role: "owner" });
  expect(Math.max(...pages.map(({ length }) => length))).toBe(30);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(OTHERS);
});

test("rows added or removed between two pages cause no gap and no repetition", async () => {
  const scrolled = new InfiniteQueryObserver(cache, memoriesQuery(watched.client, ada.userId));
  await scrolled.fetchNextPage();
  const first = scrolled.getCurrentResult().data?.map(({ id }) => id) ?? [];
  expect(first).toHaveLength(24);
  await db.query("update memories set created_at = now() + interval '1 hour' where id = $1", [first[3]]);
  const { data = [] } = await scrolled.fetchNextPage();
  expect(data).toHaveLength(48);
  const now = (await toTheEnd(memoriesQuery(watchedClient(server, ada.token).client, ada.userId))).flat();
  expect(new Set(now.map(({ id }) => id)).size).toBe(MEMORIES);
  expect(data.slice(24).map(({ id }) => id)).toEqual(now.slice(24, 48).map(({ id }) => id));
});

test("a memory far down the list is found by its name, even with special characters", async () => {
  const oldest = `No. ${MEMORIES} 100%`;
  expect(
    (await toTheEnd(memoriesQuery(watched.client, ada.userId, { find: oldest.toLowerCase() }))).flat(),
  ).toMatchObject([{ person_name: oldest }]);
  expect((await toTheEnd(memoriesQuery(watched.client, ada.userId, { find: "_x. 2" }))).flat()).toEqual([]);
  expect(watched.reads.length).toBe(2);
});

test("counts include all rows, also beyond one response", async () => {
  const { client } = watched;
  expect(await cache.fetchQuery(memoryCountQuery(client, ada.userId))).toBe(MEMORIES);
  expect(await cache.fetchQuery(memoryKindQuery(client, ada.userId))).toBe("tribute");
  expect(await cache.fetchQuery(albumQuery(client, albumId))).toMatchObject({ memory_count: MEMORIES - 1 });
  expect(await cache.fetchQuery(cardLinkCountQuery(client, { kind: "memory", id: memoryId }))).toBe(OTHERS);
  const listed = (await toTheEnd(memoriesQuery(client, ada.userId))).flat();
  expect(listed.find(({ id }) => id === memoryId)).toMatchObject({ photo_count: PHOTOS, album: { id: albumId } });
  expect(await cache.fetchQuery(storageQuery(client, ada.userId))).toMatchObject({ imageCount: PHOTOS });
  const uses = (await toTheEnd(memoryUsesQuery(client, ada.userId))).flat();
  expect(uses).toHaveLength(MEMORIES);
  expect(uses[0]).toMatchObject({ memory_id: memoryId, items: PHOTOS, bytes: PHOTOS * 1000 });
});

test("Spec §2: a person's memories are collections when all of them are events", async () => {
  const host = await ownerOf(server, "A wedding");
  const { client } = watchedClient(server, host.token);
  const kind = () => cache.fetchQuery({ ...memoryKindQuery(client, host.userId), staleTime: 0 });
  expect(await kind()).toBe("tribute");
  await client.from("memories").update({ kind: "event" }).eq("id", host.memoryId).throwOnError();
  expect(await kind()).toBe("event");
  await client.from("memories").delete().eq("id", host.memoryId).throwOnError();
  expect(await kind()).toBeNull();
});

test("the reads of every page stay cheap, however many rows exist", async () => {
  const costsOf = async ({ token, userId, caller }: Owner) => {
    const { client, reads } = watchedClient(server, token);
    const reader = new QueryClient();
    await reader.fetchQuery(memoryKindQuery(client, userId));
    await reader.fetchQuery(storageUseQuery(client, userId));
    const explainTheirs = await openExplainer(server, caller);
    const costs = [];
    for (const read of reads) costs.push((await explainTheirs(read)).pages);
    return costs;
  };
  const [least, most] = [await costsOf(few), await costsOf(ada)];
  expect(most).toHaveLength(2);
  for (const [read, pages] of most.entries()) expect(pages).toBeLessThanOrEqual((least[read] ?? 0) + 5);
});

test("thousands of photos of one memory are read a thousand at a time, each once and in order", async () => {
  const photos = await cache.fetchQuery(photosQuery(watched.client, memoryId));
  expect(photos).toHaveLength(PHOTOS);
  const order = photos.map(({ created_at, id }) => `${created_at} ${id}`);
  expect(order).toEqual([...order].sort());
  expect(watched.reads).toHaveLength(Math.floor(PHOTOS / 1000) + 1);
  const [first, second] = watched.reads;
  if (!first || !second) throw new Error("There is no second page");
  expect((await explain(second)).pages).toBeLessThanOrEqual((await explain(first)).pages * 1.5 + 12);
});

test("an archive of the album holds every memory, and one of the memory every photo", async () => {
  const how = { archive: true, language: "en" as const };
  const album = await readContents(db, ada.caller, { albumId, ...how } as never);
  expect(album.memories).toHaveLength(MEMORIES - 1);
  expect(new Set(album.memories.map(({ id }) => id)).size).toBe(MEMORIES - 1);
  expect(album.memories.reduce((sum, { items }) => sum + items.length, 0)).toBe(PHOTOS);
  const memory = await readContents(db, ada.caller, { memoryId, ...how } as never);
  expect(memory.memories.map(({ items }) => items.length)).toEqual([PHOTOS]);
});
