import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ADA, BOB, makeLibrary } from "../support/library.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const visitor = server.client();
let ada: SupabaseClient;
let token: string;

beforeAll(async () => {
  await makeLibrary(server);
  token = await server.sign({ role: "authenticated", sub: ADA, aud: "authenticated" });
  ada = server.client(token);
});
beforeEach(() => server.db.exec("delete from books where id > 3; delete from tags where id > 2"));

const send = (method: string, path: string, body: unknown, prefer = "", accept = "*/*") =>
  fetch(`${server.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: server.keys.publishable,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      prefer,
      accept,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const titles = async () => (await ada.from("books").select("title").gt("id", 3).order("title")).data;

describe("insert", () => {
  test("adds a row and returns nothing", async () => {
    const { data, error, status } = await ada.from("tags").insert({ id: 3, label: "new" });
    expect({ data, error, status }).toEqual({ data: null, error: null, status: 201 });
  });

  test("returns the new row on request, with defaults and embedded rows", async () => {
    const { data, status } = await ada
      .from("books")
      .insert({ author_id: 1, title: "Poems" })
      .select("title, pages, author:authors!author_id(name)")
      .single();
    expect({ data, status }).toEqual({
      status: 201,
      data: { title: "Poems", pages: 100, author: { name: "Ada" } },
    });
  });

  test("adds many rows, with null or the default for columns that a row leaves out", async () => {
    const rows = [
      { author_id: 1, title: "B1", pages: 5 },
      { author_id: 2, title: "B2" },
    ];
    const { data, count } = await ada
      .from("books")
      .insert(rows, { defaultToNull: false, count: "exact" })
      .select("pages");
    expect({ data, count }).toEqual({ data: [{ pages: 5 }, { pages: 100 }], count: 2 });
    const asNull = await ada.from("books").insert([
      { author_id: 1, title: "B3", pages: 5 },
      { author_id: 2, title: "B4" },
    ]);
    expect(asNull.error).toMatchObject({ code: "23502" });
    expect(await titles()).toEqual([{ title: "B1" }, { title: "B2" }]);
  });

  test("adds nothing for an empty list, and uses defaults for columns that are left out", async () => {
    expect((await ada.from("books").insert([]).select()).data).toEqual([]);
    const { data } = await ada.from("loans").insert({ book_id: 1 }).select("borrower").single();
    expect(data).toEqual({ borrower: ADA });
    expect((await ada.from("tags").insert({})).error).toMatchObject({ code: "23502" });
  });

  test("returns the location of the new row", async () => {
    const response = await send("POST", "tags", { id: 7, label: "x" }, "return=headers-only");
    expect(response.status).toBe(201);
    expect(response.headers.get("location")).toBe("/tags?id=eq.7");
    expect(await response.text()).toBe("");
  });

  test("with the location only does not read the columns of embedded relations", async () => {
    const add = (id: number, select: string) =>
      send("POST", `book_tags?select=${select}`, { book_id: 3, tag_id: id }, "return=headers-only");
    expect((await add(1, "tag_id,tags(nothing)")).status).toBe(201);
    expect(await (await add(2, "nothing,tags(id)")).json()).toMatchObject({ code: "42703" });
    expect(await (await add(2, "tag_id,nothing(id)")).json()).toMatchObject({ code: "PGRST200" });
    const remove = async () =>
      expect((await send("DELETE", "book_tags?book_id=eq.3&tag_id=eq.1", "")).status).toBe(204);
    await remove();
    expect((await add(1, "*,nothing")).status).toBe(201);
    await remove();
  });

  test("keeps numbers beyond the precision of JavaScript", async () => {
    const body = '{"name":"Big","rank":9007199254740995}';
    const response = await send("POST", "authors?select=rank::text", body, "return=representation");
    expect(await response.json()).toEqual([{ rank: "9007199254740995" }]);
    await server.db.exec("delete from authors where name = 'Big'");
  });

  test("sanitises HTML columns in one row, many rows, an update and an upsert", async () => {
    const story = '<p onclick="x()">Hello<script>steal()</script></p>';
    const clean = { story: "<p>Hello</p>" };
    const one = await ada.from("books").insert({ author_id: 1, title: "C1", story }).select("story").single();
    expect(one.data).toEqual(clean);
    const rows = ["C2", "C3"].map((title) => ({ author_id: 1, title, story }));
    expect((await ada.from("books").insert(rows).select("story")).data).toEqual([clean, clean]);
    expect((await ada.from("books").update({ story }).eq("title", "C1").select("story")).data).toEqual([clean]);
    const upserted = await ada
      .from("books")
      .upsert({ author_id: 1, title: "C1", story }, { onConflict: "title" })
      .select("story");
    expect(upserted.data).toEqual([clean]);
  });

  test("refuses a row for another person, and any row of a visitor", async () => {
    const foreign = await ada.from("loans").insert({ book_id: 1, borrower: BOB });
    expect(foreign).toMatchObject({ status: 403, error: { code: "42501" } });
    expect(await visitor.from("loans").insert({ book_id: 1 })).toMatchObject({ status: 401, error: { code: "42501" } });
  });
});

describe("upsert", () => {
  test("adds or changes by the primary key", async () => {
    const rows = [
      { id: 2, label: "arts" },
      { id: 4, label: "four" },
    ];
    expect((await ada.from("tags").upsert(rows).select("label")).data).toEqual([{ label: "arts" }, { label: "four" }]);
    await ada.from("tags").upsert({ id: 2, label: "art" });
    expect((await ada.from("tags").select("label").eq("id", 2).single()).data).toEqual({ label: "art" });
  });

  test("adds or changes by another key, or ignores duplicates", async () => {
    await ada.from("books").upsert({ title: "U", author_id: 1 }, { onConflict: "title" });
    const again = await ada
      .from("books")
      .upsert({ title: "U", author_id: 1, pages: 9 }, { onConflict: "title" })
      .select("pages");
    expect(again.data).toEqual([{ pages: 9 }]);
    const row = { title: "U", author_id: 1, pages: 10 };
    const ignored = await ada.from("books").upsert(row, { onConflict: "title", ignoreDuplicates: true }).select();
    expect(ignored.data).toEqual([]);
  });

  test("replaces the row of the key by PUT", async () => {
    const first = await send("PUT", "tags?id=eq.5", { id: 5, label: "five" }, "return=representation");
    expect([first.status, await first.json()]).toEqual([201, [{ id: 5, label: "five" }]]);
    expect((await send("PUT", "tags?id=eq.5", { id: 5, label: "5" })).status).toBe(204);
    expect(await (await send("PUT", "tags?id=eq.5&limit=1", { id: 5, label: "5" })).json()).toMatchObject({
      code: "PGRST114",
    });
    const response = await send("PUT", "tags?id=eq.5", { id: 5, label: "V" }, "return=representation");
    expect({ status: response.status, rows: await response.json() }).toEqual({
      status: 200,
      rows: [{ id: 5, label: "V" }],
    });
    expect(await (await send("PUT", "tags?id=eq.5", { id: 6, label: "x" })).json()).toMatchObject({ code: "PGRST115" });
    // The key is compared as a number, and a put has every column.
    expect((await send("PUT", "tags?id=eq.05&columns=id", { id: 5, label: "V" })).status).toBe(204);
    expect(await (await send("PUT", "tags?id=eq.x", { id: 5, label: "x" })).json()).toMatchObject({ code: "22P02" });
    expect(await (await send("PUT", "tags?label=eq.V", { id: 5, label: "V" })).json()).toMatchObject({
      code: "PGRST105",
    });
  });
});

describe("an answer to a write", () => {
  test("to an upsert says by its status whether a row is new", async () => {
    const upsert = (rows: object[], prefer = "resolution=merge-duplicates") =>
      send("POST", "tags", rows, prefer).then(({ status }) => status);
    expect(await upsert([{ id: 6, label: "six" }])).toBe(201);
    expect(await upsert([{ id: 6, label: "VI" }])).toBe(200);
    expect(await upsert([{ id: 6, label: "6" }], "resolution=merge-duplicates,return=representation")).toBe(200);
    expect(
      await upsert([
        { id: 6, label: "VI" },
        { id: 7, label: "VII" },
      ]),
    ).toBe(201);
    expect(await upsert([])).toBe(200);
    expect(await upsert([{ id: 6, label: "six" }], "resolution=ignore-duplicates")).toBe(201);
    expect((await ada.from("tags").select("label").gt("id", 5).order("id")).data).toEqual([
      { label: "VI" },
      { label: "VII" },
    ]);
  });

  test.each<[string, string, object, string, string | null]>([
    ["POST", "tags", { id: 8, label: "x" }, "return=minimal,max-affected=1", "return=minimal"],
    [
      "POST",
      "tags",
      { id: 8, label: "x" },
      "missing=default,resolution=merge-duplicates",
      "resolution=merge-duplicates, missing=default",
    ],
    ["PATCH", "tags?id=eq.8", { label: "y" }, "resolution=merge-duplicates,count=exact", "count=exact"],
    ["PUT", "tags?id=eq.8", { id: 8, label: "z" }, "missing=default,resolution=merge-duplicates", null],
    ["DELETE", "tags?id=eq.8", {}, "handling=strict,max-affected=1,tx=commit", "handling=strict, max-affected=1"],
  ])("%s %s names the preferences that applied", async (method, path, body, prefer, applied) => {
    expect((await send(method, path, body, prefer)).headers.get("preference-applied")).toBe(applied);
  });

  test.each(["return=minimal", "return=headers-only", "return=representation"])(
    "as one object is a refusal unless one row is written, and writes nothing, with %s",
    async (prefer) => {
      const rows = [
        { id: 3, label: "a" },
        { id: 4, label: "b" },
      ];
      for (const [method, path, body] of [
        ["POST", "tags", rows],
        ["PATCH", "tags?id=in.(1,2)", { label: "both" }],
        ["PATCH", "tags?id=eq.99", { label: "none" }],
        ["DELETE", "book_tags?book_id=eq.2", {}],
      ] as const) {
        const response = await send(method, path, body, prefer, "application/vnd.pgrst.object+json");
        expect([response.status, await response.json()]).toEqual([406, expect.objectContaining({ code: "PGRST116" })]);
      }
      expect((await ada.from("tags").select("label").order("id")).data).toEqual([
        { label: "science" },
        { label: "art" },
      ]);
      expect((await ada.from("book_tags").select().eq("book_id", 2)).data).toHaveLength(2);
      expect((await send("POST", "tags", [rows[0]], prefer, "application/vnd.pgrst.object+json")).status).toBe(201);
    },
  );
});

describe("update and delete", () => {
  test("change the matching rows, and return them on request", async () => {
    await ada.from("books").insert([1, 2, 3].map((n) => ({ author_id: 1, title: `No. ${n}` })));
    const updated = await ada.from("books").update({ pages: 7 }, { count: "exact" }).in("title", ["No. 1", "No. 2"]);
    expect(updated).toMatchObject({ data: null, count: 2, status: 204 });
    const update = await ada
      .from("books")
      .update({ pages: 8 })
      .like("title", "No. %")
      .select("title, pages")
      .order("title");
    expect(update.data).toEqual(["No. 1", "No. 2", "No. 3"].map((title) => ({ title, pages: 8 })));
    const deleted = await ada
      .from("books")
      .delete({ count: "exact" })
      .eq("title", "No. 1")
      .select("title, authors!author_id(name)");
    expect(deleted).toMatchObject({ data: [{ title: "No. 1", authors: { name: "Ada" } }], count: 1 });
    expect(await titles()).toEqual([{ title: "No. 2" }, { title: "No. 3" }]);
  });

  test("change nothing if no permitted row matches or no value is given", async () => {
    expect(await ada.from("books").update({ pages: 1 }).eq("id", 999).select()).toMatchObject({
      data: [],
      status: 200,
    });
    expect((await ada.from("books").update({}).eq("id", 1).select()).data).toEqual([]);
    expect((await ada.from("books").update({}).contains("id", "1")).error).toMatchObject({ code: "42883" });
    expect((await ada.from("loans").delete().eq("borrower", BOB).select()).data).toEqual([]);
  });

  test("are refused without any condition", async () => {
    expect((await ada.from("books").update({ pages: 1 })).error).toMatchObject({ code: "21000" });
    expect((await ada.from("books").delete()).error).toMatchObject({ code: "21000" });
  });

  test("are rolled back if one row was asked for and more match", async () => {
    const { error, status } = await ada.from("books").update({ pages: 999 }).gt("id", 0).select().single();
    expect({ status, error }).toMatchObject({
      status: 406,
      error: { code: "PGRST116", details: "The result contains 3 rows" },
    });
    expect((await ada.from("books").select("id").eq("pages", 999)).data).toEqual([]);
  });

  test("are rolled back if they affect more rows than max-affected", async () => {
    const response = await send("DELETE", "books?id=gt.0", "", "handling=strict, max-affected=2");
    expect(await response.json()).toMatchObject({ code: "PGRST124", details: "The query affects 3 rows" });
    expect((await ada.from("books").select("id")).data).toHaveLength(3);
  });
});

describe("a write is refused", () => {
  test.each<[string, object, number, string]>([
    ["a duplicate", { author_id: 1, title: "Notes" }, 409, "23505"],
    ["an unknown parent", { author_id: 99, title: "X" }, 409, "23503"],
    ["a value of another type", { author_id: "one", title: "X" }, 400, "22P02"],
    ["a value its check forbids", { author_id: 1, title: "X", pages: 0 }, 400, "23514"],
    ["an unknown column", { author_id: 1, titel: "X" }, 400, "PGRST204"],
  ])("for %s", async (_what, row, status, code) => {
    expect(await ada.from("books").insert(row)).toMatchObject({ status, error: { code } });
  });

  test.each(["", "{", "5", '"x"', "[1]"])("for the body %s", async (body) => {
    const response = await send("POST", "books", body);
    expect({ status: response.status, ...(await response.json()) }).toMatchObject({ status: 400, code: "PGRST102" });
  });
});
