import { beforeAll, describe, expect, test } from "vitest";
import { ADA, makeLibrary } from "../support/library.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const visitor = server.client();
/** The timeout for changes of the schema: the server reads the catalogue again at most once a second. */
const SOON = { timeout: 180_000 };
const headers = { apikey: server.keys.publishable };
const get = (path: string, more: Record<string, string> = {}) =>
  fetch(`${server.url}/rest/v1/${path}`, { headers: { ...headers, ...more } });

beforeAll(async () => {
  await makeLibrary(server);
});

describe("columns", () => {
  test("come by name, alias, cast and JSON path", async () => {
    const { data } = await visitor
      .from("authors")
      .select("who:name, rank::text, address->>city, first:address->phones->0->n, mood")
      .eq("id", 1);
    expect(data).toEqual([{ who: "Ada", rank: "9007199254740993", city: "London", first: 1, mood: "calm" }]);
  });

  test("are all returned for a star, also beside others", async () => {
    const { data } = await visitor.from("tags").select("*, again:label").eq("id", 1).single();
    expect(data).toEqual({ id: 1, label: "science", again: "science" });
  });

  test("are those that the caller may select, for a star", async () => {
    await server.db.exec(`
      create table diaries (id integer primary key, page text not null, writer text not null default 'Ada');
      revoke all on diaries from anon, authenticated;
      grant select (id, page), insert (id, page) on diaries to anon;
      grant select on diaries to authenticated;
      insert into diaries values (1, 'It rained');
      notify pgrst, 'reload schema'`);
    const row = { id: 1, page: "It rained" };
    await expect.poll(async () => (await visitor.from("diaries").select()).data, SOON).toEqual([row]);
    const signedIn = server.client(await server.sign({ role: "authenticated", sub: ADA }));
    expect((await signedIn.from("diaries").select("*")).data).toEqual([{ ...row, writer: "Ada" }]);
    const added = { id: 2, page: "It snowed" };
    expect((await visitor.from("diaries").insert(added).select()).data).toEqual([added]);
    for (const refused of [
      visitor.from("diaries").select("writer"),
      visitor.from("diaries").select("*,writer"),
      visitor.from("diaries").select().eq("writer", "Ada"),
      visitor.from("diaries").select().order("writer"),
    ])
      expect(await refused).toMatchObject({ status: 401, error: { code: "42501" } });
    // Whoever may select no column is refused as a whole.
    await server.db.exec("revoke select on diaries from authenticated; notify pgrst, 'reload schema'");
    await expect
      .poll(() => signedIn.from("diaries").select(), SOON)
      .toMatchObject({ status: 403, error: { code: "42501" } });
  });

  test("are counted, also grouped by another column", async () => {
    expect((await visitor.from("authors").select("count")).data).toEqual([{ count: 3 }]);
    expect((await visitor.from("book_tags").select("tag_id, n:count()").order("tag_id")).data).toEqual([
      { tag_id: 1, n: 2 },
      { tag_id: 2, n: 2 },
    ]);
    // The order must be that of the groups. The error has the table's name.
    const refused = await visitor.from("authors").select("mood, count()").order("name");
    expect(refused.error).toMatchObject({ code: "42803", message: expect.stringContaining('"authors.name"') });
    const byKey = await visitor.from("tags").select("id, count()").order("label");
    expect(byKey.data).toEqual([
      { id: 2, count: 1 },
      { id: 1, count: 1 },
    ]);
  });

  test("are cast to plain types only", async () => {
    expect((await visitor.from("authors").select("name::regclass")).error).toMatchObject({ code: "not_supported" });
  });
});

describe("filters", () => {
  test.each<[string, number[]]>([
    ["id=eq.1", [1]],
    ["id=neq.1", [2, 3]],
    ["id=gt.1", [2, 3]],
    ["id=gte.2", [2, 3]],
    ["id=lt.2", [1]],
    ["id=lte.2", [1, 2]],
    ["name=like.A*", [1]],
    ["name=ilike.*A*", [1, 3]],
    ["name=like(any).{A*,B*}", [1, 2]],
    ["name=ilike(all).{*a*,*c*}", [3]],
    ["name=match.^B", [2]],
    ["name=imatch.^b", [2]],
    ["id=in.(1,3)", [1, 3]],
    ["id=in.()", []],
    ['name=in.("Carla \\"C\\"",Ada)', [1, 3]],
    ["id=eq(any).{1,2}", [1, 2]],
    ["id=not.in.(1,3)", [2]],
    ["born=is.null", [3]],
    ["born=is.not_null", [1, 2]],
    ["living=is.true", [2]],
    ["living=is.false", [1]],
    ["living=is.unknown", [3]],
    ["living=not.is.null", [1, 2]],
    ["mood=isdistinct.calm", [2, 3]],
    ["mood=eq.bright", [2]],
    ["nicknames=cs.{Bru}", [2]],
    ['nicknames=cs.{"A, L"}', [1]],
    ["nicknames=cd.{Bru,Other}", [2]],
    ["nicknames=ov.{Enchantress,Bru}", [1, 2]],
    ["address=cs.%7B%22city%22:%22London%22%7D", [1]],
    ["active=cs.[1850,1851]", [1]],
    ["active=ov.[1850,1950]", [1, 2]],
    ["active=sl.[1900,1910]", [1]],
    ["active=sr.[1900,1910]", [2]],
    ["active=nxr.[1900,1910]", [1]],
    ["active=nxl.[1900,1910]", [2]],
    ["active=adj.[1853,1900]", [1]],
    ["name=fts.ada", [1]],
    ["name=plfts(english).bruno", [2]],
    ["name=phfts(english).carla c", [3]],
    ["name=wfts.ada or bruno", [1, 2]],
    ["name=not.fts.ada", [2, 3]],
    ["address->>city=eq.Milano", [2]],
    ["address->phones->1->n=eq.2", [1]],
    ["or=(id.eq.1,name.like.B*)", [1, 2]],
    ["and=(id.gt.1,or(living.is.true,born.is.null))", [2, 3]],
    ["not.or=(id.eq.1,id.eq.2)", [3]],
    ["or=(name.in.(Ada,Bruno),not.and(id.lt.9,id.gt.0))", [1, 2]],
    ["id=gt.1&living=is.true", [2]],
  ])("%s", async (filter, ids) => {
    const response = await get(`authors?select=id&order=id&${filter.replaceAll("+", "%2B")}`);
    expect(await response.json()).toEqual(ids.map((id) => ({ id })));
  });

  test("work through the client's own methods", async () => {
    const ids = async (query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>) => {
      const { data, error } = await query;
      return error ?? data?.map(({ id }) => id);
    };
    const authors = () => visitor.from("authors").select("id").order("id");
    expect(await ids(authors().in("name", ["Ada", "Bruno"]))).toEqual([1, 2]);
    expect(await ids(authors().contains("address", { city: "London" }))).toEqual([1]);
    expect(await ids(authors().overlaps("nicknames", ["Bru", "Enchantress"]))).toEqual([1, 2]);
    expect(await ids(authors().rangeGt("active", "[1900,1910]"))).toEqual([2]);
    expect(await ids(authors().textSearch("name", "ada | bruno", { config: "english" }))).toEqual([1, 2]);
    expect(await ids(authors().not("born", "is", null))).toEqual([1, 2]);
    expect(await ids(authors().or("id.eq.1,and(id.gt.2,born.is.null)"))).toEqual([1, 3]);
    expect(await ids(authors().match({ id: 2, name: "Bruno" }))).toEqual([2]);
    expect(await ids(authors().likeAnyOf("name", ["A%", "B%"]))).toEqual([1, 2]);
    expect(await ids(authors().isDistinct("mood", "calm"))).toEqual([2, 3]);
    expect(await ids(authors().filter("id", "not.in", "(1,2)"))).toEqual([3]);
  });
});

describe("order, limit and range", () => {
  test("sort by several columns, nulls where asked, and by JSON", async () => {
    const names = async (order: string) =>
      ((await (await get(`authors?select=name&order=${order}`)).json()) as { name: string }[]).map(
        ({ name }) => name[0],
      );
    expect(await names("name.desc")).toEqual(["C", "B", "A"]);
    expect(await names("born.desc.nullslast,name")).toEqual(["B", "A", "C"]);
    expect(await names("born.nullsfirst")).toEqual(["C", "A", "B"]);
    expect(await names("address->>city.desc.nullslast")).toEqual(["B", "A", "C"]);
  });

  test("select a page, with its range and the total in the response", async () => {
    const { data, count, status } = await visitor
      .from("authors")
      .select("id", { count: "exact" })
      .order("id")
      .range(1, 1);
    expect({ data, count, status }).toEqual({ data: [{ id: 2 }], count: 3, status: 206 });
    const response = await get("authors?select=id&limit=2&offset=1", { prefer: "count=exact" });
    expect(response.headers.get("content-range")).toBe("1-2/3");
    expect((await get("authors?limit=1")).headers.get("content-range")).toBe("0-0/*");
    expect((await get("authors?id=eq.99&limit=1")).headers.get("content-range")).toBe("*/*");
  });

  test("can be given in the Range header", async () => {
    const response = await get("authors?select=id&order=id", { range: "1-5", "range-unit": "items" });
    expect(await response.json()).toEqual([{ id: 2 }, { id: 3 }]);
  });

  test.each(["exact", "planned", "estimated"] as const)("allow a count (%s) without the rows", async (count) => {
    const { data, count: counted } = await visitor.from("authors").select("*", { count, head: true });
    expect({ data, counted }).toEqual({ data: null, counted: 3 });
  });

  test("refuse a range beyond the end", async () => {
    const { error, status } = await visitor.from("authors").select("id", { count: "exact" }).range(10, 20);
    expect({ status, code: error?.code }).toEqual({ status: 416, code: "PGRST103" });
  });
});

describe("the response", () => {
  test("is one object if exactly one row is asked for", async () => {
    expect((await visitor.from("tags").select().eq("id", 1).single()).data).toEqual({ id: 1, label: "science" });
    const none = await visitor.from("tags").select().eq("id", 99).single();
    expect(none).toMatchObject({ status: 406, error: { code: "PGRST116", details: "The result contains 0 rows" } });
    expect(await visitor.from("tags").select().single()).toMatchObject({ status: 406, error: { code: "PGRST116" } });
  });

  test("is one row or nothing with maybeSingle", async () => {
    expect(await visitor.from("tags").select().eq("id", 99).maybeSingle()).toMatchObject({ data: null, error: null });
    expect((await visitor.from("tags").select("id").eq("id", 1).maybeSingle()).data).toEqual({ id: 1 });
    expect((await visitor.from("tags").select().maybeSingle()).error).toMatchObject({ code: "PGRST116" });
  });

  test("is CSV of PostgreSQL's texts of records, with quotes where they belong", async () => {
    const { data } = await visitor.from("authors").select("id,name,born,living,address->>city").order("id").csv();
    expect(data).toBe(
      'id,name,born,living,city\n1,Ada,1815-12-10,f,London\n2,Bruno,1920-01-01,t,Milano\n3,"Carla ""C""",,,',
    );
    expect((await visitor.from("authors").select("id,name").eq("id", 99).csv()).data).toBe("\n");
  });

  test("leaves out nulls on request", async () => {
    for (const [type, shape] of [
      ["application/vnd.pgrst.array+json;nulls=stripped", [{ id: 3 }]],
      ["application/vnd.pgrst.object+json;nulls=stripped", { id: 3 }],
    ] as const) {
      const response = await get("authors?select=id,born&id=eq.3", { accept: type });
      expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(await response.json()).toEqual(shape);
    }
    const plain = await get("authors?select=id,born&id=eq.3", { accept: "application/vnd.pgrst.array+json" });
    expect(plain.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await visitor.from("authors").select("id,born").eq("id", 3).stripNulls()).data).toEqual([{ id: 3 }]);
    expect((await visitor.from("authors").select("id,born").eq("id", 3).stripNulls().single()).data).toEqual({ id: 3 });
  });

  test("is JSON, and neither GeoJSON nor a query plan", async () => {
    expect((await get("tags")).headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await visitor.from("tags").select().geojson()).error).toMatchObject({ code: "PGRST107" });
    expect((await visitor.from("tags").select().explain()).error).toMatchObject({ code: "PGRST107" });
  });
});

test("a limit of 0 has no rows, and no further bound", async () => {
  const response = await get("authors?limit=0", { prefer: "count=exact", range: "1-2" });
  expect([response.status, response.headers.get("content-range"), await response.json()]).toEqual([206, "*/3", []]);
  const bounded = await get("authors?limit=0&offset=1");
  expect([bounded.status, await bounded.json()]).toEqual([416, expect.objectContaining({ code: "PGRST103" })]);
});

test("a Range narrows a limit", async () => {
  const read = async (query: string, range: string) => {
    const response = await get(`authors?select=id&order=id&${query}`, { range });
    const rows = (await response.json()) as { id: number }[];
    return [response.status, response.headers.get("content-range"), Array.isArray(rows) && rows.map(({ id }) => id)];
  };
  expect(await read("limit=3", "1-1")).toEqual([200, "1-1/*", [2]]);
  expect(await read("limit=2", "1-9")).toEqual([200, "1-1/*", [2]]);
  expect(await read("offset=2", "0-9")).toEqual([200, "2-2/*", [3]]);
  expect(await read("limit=1", "1-2")).toEqual([416, null, false]);
});

test("a view is read like a table", async () => {
  expect((await visitor.from("long_books").select()).data).toEqual([{ id: 2, title: "Engines", pages: 320 }]);
});

test("a table that is created or changed after the start becomes available", async () => {
  await server.db.exec("create table late (id integer); grant select on late to anon; insert into late values (1);");
  await expect.poll(async () => (await visitor.from("late").select()).data, SOON).toEqual([{ id: 1 }]);
  await server.db.exec("alter table late rename column id to number; notify pgrst, 'reload schema';");
  await expect.poll(async () => (await visitor.from("late").select()).data, SOON).toEqual([{ number: 1 }]);
});
