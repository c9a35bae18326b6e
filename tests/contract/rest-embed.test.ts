import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { ADA, makeLibrary } from "../support/library.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const visitor = server.client();
let ada: SupabaseClient;

beforeAll(async () => {
  await makeLibrary(server);
  ada = server.client(await server.sign({ role: "authenticated", sub: ADA, aud: "authenticated" }));
});

describe("embedding", () => {
  test("returns the related row, or null", async () => {
    const { data } = await visitor
      .from("books")
      .select("title, author:authors!author_id(name), editor:authors!editor_id(name)")
      .order("id");
    expect(data).toEqual([
      { title: "Notes", author: { name: "Ada" }, editor: { name: "Bruno" } },
      { title: "Engines", author: { name: "Ada" }, editor: null },
      { title: "Design, as art", author: { name: "Bruno" }, editor: { name: "Ada" } },
    ]);
  });

  test("follows a foreign key by its column or constraint", async () => {
    const expected = { author_id: { name: "Ada" }, books_editor_id_fkey: { name: "Bruno" } };
    const { data } = await visitor.from("books").select("author_id(name), books_editor_id_fkey(name)").eq("id", 1);
    expect(data).toEqual([expected]);
  });

  test("returns many related rows with a filter, order and limit of their own", async () => {
    const { data } = await visitor
      .from("authors")
      .select("name, books!author_id(title)")
      .gt("books.pages", 50)
      .order("title", { referencedTable: "books" })
      .limit(1, { referencedTable: "books" })
      .order("id");
    expect(data).toEqual([
      { name: "Ada", books: [{ title: "Engines" }] },
      { name: "Bruno", books: [{ title: "Design, as art" }] },
      { name: 'Carla "C"', books: [] },
    ]);
  });

  test("follows a one-to-one relation in both directions", async () => {
    expect((await visitor.from("authors").select("name, passports(number)").order("id").limit(2)).data).toEqual([
      { name: "Ada", passports: { number: "P-1" } },
      { name: "Bruno", passports: null },
    ]);
    expect((await visitor.from("passports").select("authors(name)")).data).toEqual([{ authors: { name: "Ada" } }]);
  });

  test("follows a many-to-many relation through the join table", async () => {
    const { data } = await visitor
      .from("tags")
      .select("label, books(title)")
      .order("id")
      .order("id", { referencedTable: "books" });
    expect(data).toEqual([
      { label: "science", books: [{ title: "Notes" }, { title: "Engines" }] },
      { label: "art", books: [{ title: "Engines" }, { title: "Design, as art" }] },
    ]);
  });

  test("follows relations over several levels", async () => {
    const { data } = await visitor
      .from("authors")
      .select("name, books!author_id(title, tags(label), editor:authors!editor_id(name, passports(number)))")
      .eq("id", 2)
      .eq("books.tags.label", "art")
      .single();
    expect(data).toEqual({
      name: "Bruno",
      books: [
        { title: "Design, as art", tags: [{ label: "art" }], editor: { name: "Ada", passports: { number: "P-1" } } },
      ],
    });
  });

  test("counts instead of listing", async () => {
    const { data } = await visitor.from("authors").select("name, books!author_id(count)").order("id");
    expect(data).toEqual([
      { name: "Ada", books: [{ count: 2 }] },
      { name: "Bruno", books: [{ count: 1 }] },
      { name: 'Carla "C"', books: [{ count: 0 }] },
    ]);
  });

  test("spreads one related row into its parent, and many as lists", async () => {
    expect((await visitor.from("books").select("title, ...authors!author_id(author:name)").eq("id", 1)).data).toEqual([
      { title: "Notes", author: "Ada" },
    ]);
    expect((await visitor.from("books").select("title, ...tags(labels:label)").eq("id", 1)).data).toEqual([
      { title: "Notes", labels: ["science"] },
    ]);
  });
});

describe("embedding decides which rows match", () => {
  test("with inner, also for the count", async () => {
    const { data, count } = await visitor
      .from("authors")
      .select("name, books!author_id!inner(title)", { count: "exact" })
      .gt("books.pages", 300);
    expect({ data, count }).toEqual({ data: [{ name: "Ada", books: [{ title: "Engines" }] }], count: 1 });
    const toOne = await visitor
      .from("books")
      .select("title, authors!author_id!inner(name)")
      .eq("authors.name", "Bruno");
    expect(toOne.data).toEqual([{ title: "Design, as art", authors: { name: "Bruno" } }]);
  });

  test("by existence, without returning the embedded rows", async () => {
    const without = await visitor
      .from("authors")
      .select("name, books!author_id()", { count: "exact" })
      .is("books", null);
    expect(without).toMatchObject({ data: [{ name: 'Carla "C"' }], count: 1 });
    const either = await visitor
      .from("authors")
      .select("id, books!author_id(), passports()")
      .or("books.not.is.null,passports.not.is.null")
      .order("id");
    expect(either.data).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("and their order, by a column of the one related row", async () => {
    const { data } = await visitor
      .from("books")
      .select("title, authors!author_id(name)")
      .order("authors(name)", { ascending: false })
      .order("id");
    expect(data?.map(({ title }) => title)).toEqual(["Design, as art", "Notes", "Engines"]);
    const many = await visitor.from("authors").select("books!author_id(title)").order("books(title)");
    expect(many.error).toMatchObject({
      code: "PGRST118",
      details: "'authors' and 'books' do not form a many-to-one or one-to-one relationship",
    });
  });
});

describe("row policies hold for embedded rows", () => {
  test("each caller sees their own, and a stranger none", async () => {
    const notes = (client: SupabaseClient) => client.from("books").select("loans(note)").eq("id", 1).single();
    expect((await notes(ada)).data).toEqual({ loans: [{ note: "for Ada" }] });
    expect((await notes(visitor)).data).toEqual({ loans: [] });
    expect((await visitor.from("books").select("title, loans!inner(note)")).data).toEqual([]);
    expect((await visitor.from("books").select("loans(count)").eq("id", 1)).data).toEqual([{ loans: [{ count: 0 }] }]);
  });

  test("also through several tables, and in the response of a write", async () => {
    const nested = await ada.from("tags").select("books(loans(note))").eq("id", 2).single();
    expect(nested.data?.books.flatMap((book: { loans: unknown[] }) => book.loans)).toEqual([]);
    const changed = await ada.from("books").update({ pages: 67 }).eq("id", 1).select("pages, loans(note)").single();
    expect(changed.data).toEqual({ pages: 67, loans: [{ note: "for Ada" }] });
  });
});

describe("embedding refuses", () => {
  test("an ambiguous relation, with a hint how to choose", async () => {
    const { error, status } = await visitor.from("books").select("authors(name)");
    expect({ status, error }).toMatchObject({
      status: 300,
      error: { code: "PGRST201", hint: expect.stringContaining("authors!books_author_id_fkey") },
    });
  });

  test("unrelated tables, unknown columns, and filters on tables that are not embedded", async () => {
    expect((await visitor.from("authors").select("tags(label)")).error).toMatchObject({ code: "PGRST200" });
    expect((await visitor.from("authors").select("books!author_id(nothing)")).error).toMatchObject({ code: "42703" });
    expect((await visitor.from("authors").select("id").eq("books.id", 1)).error).toMatchObject({ code: "PGRST108" });
  });
});

test("a count ignores the limits of embedded relations at every level", async () => {
  const { data, count, status } = await visitor
    .from("authors")
    .select("name, books!author_id!inner(title, tags!inner(label))", { count: "exact" })
    .limit(0, { referencedTable: "books.tags" });
  expect({ data, count, status }).toEqual({ data: [], count: 2, status: 206 });
});

describe("a table that refers to itself", () => {
  test.each(["relatives", "relatives!parent_id", "relatives!relatives_parent_id_fkey"])(
    "has its children by %s",
    async (relation) => {
      const { data } = await visitor.from("relatives").select(`name, children:${relation}(name)`).eq("id", 1);
      expect(data).toEqual([{ name: "Rosa", children: [{ name: "Bea" }, { name: "Carl" }] }]);
    },
  );

  test("has its parent by the column", async () => {
    const { data } = await visitor.from("relatives").select("name, parent:parent_id(name)").lt("id", 3).order("id");
    expect(data).toEqual([
      { name: "Rosa", parent: null },
      { name: "Bea", parent: { name: "Rosa" } },
    ]);
  });
});

test("two embeds of one name are refused without a name of the statement", async () => {
  for (const select of [
    "title, authors!author_id(name), authors!editor_id(name)",
    "title, who:authors!author_id(name), who:authors!editor_id(name)",
    "title, ...authors!author_id(a:name), ...authors!editor_id(b:name)",
  ]) {
    const { error, status } = await visitor.from("books").select(select);
    expect({ status, error }).toMatchObject({ status: 400, error: { code: "42712" } });
    expect(error?.message).toMatch(/^table name "(authors|who)" specified more than once$/);
  }
});

test("an ambiguous relationship is described with its constraints and columns", async () => {
  const { error, status } = await visitor.from("books").select("title, authors(name)");
  const described = (column: string) => ({
    cardinality: "many-to-one",
    embedding: "books with authors",
    relationship: `books_${column}_fkey using books(${column}) and authors(id)`,
  });
  expect({ status, error }).toMatchObject({
    status: 300,
    error: { code: "PGRST201", details: [described("author_id"), described("editor_id")] },
  });
});
