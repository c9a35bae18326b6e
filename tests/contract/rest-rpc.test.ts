import { beforeAll, describe, expect, test } from "vitest";
import { ADA, makeLibrary } from "../support/library.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const visitor = server.client();

beforeAll(() => makeLibrary(server));

describe.each([{ get: false }, { get: true }])("a function called with get: $get", ({ get }) => {
  test("takes its arguments by name, with defaults", async () => {
    expect((await visitor.rpc("add_up", { a: 1, b: 2 }, { get })).data).toBe(3);
    expect((await visitor.rpc("add_up", { a: 1 }, { get })).data).toBe(11);
    expect((await visitor.rpc("sum_of", { numbers: [1, 2, 3] }, { get: false })).data).toBe(6);
  });

  test("returns rows that can be filtered, sorted, limited and embedded like a table's", async () => {
    const { data, count } = await visitor
      .rpc("longest", { at_least: 60 }, { get, count: "exact" })
      .select("title, author:authors!author_id(name)")
      .neq("title", "Notes")
      .order("title")
      .limit(1);
    expect({ data, count }).toEqual({ data: [{ title: "Design, as art", author: { name: "Bruno" } }], count: 2 });
    expect((await visitor.rpc("longest", { at_least: 300 }, { get }).select("id").single()).data).toEqual({ id: 2 });
  });

  test("returns one row, values or a table", async () => {
    expect((await visitor.rpc("first_author", {}, { get })).data).toMatchObject({ id: 1, name: "Ada" });
    expect((await visitor.rpc("titles", {}, { get })).data).toEqual(["Notes", "Engines", "Design, as art"]);
    expect((await visitor.rpc("numbers", { upto: 3 }, { get }).gt("n", 1)).data).toEqual([
      { n: 2, square: 4 },
      { n: 3, square: 9 },
    ]);
  });
});

test("a function without a result answers 204", async () => {
  expect(await server.service().rpc("forget")).toMatchObject({ data: null, status: 204 });
});

test("a function with an unnamed argument takes the whole body", async () => {
  expect((await visitor.rpc("echo", { a: [1, null] })).data).toEqual({ a: [1, null] });
});

test("an HTML argument is sanitised", async () => {
  expect((await visitor.rpc("cleaned", { story: "<p>a<script>b</script></p>" })).data).toBe("<p>a</p>");
  const got = await visitor.rpc("cleaned", { story: "<p>a<script>b</script></p>" }, { get: true });
  expect(got.data).toBe("<p>a</p>");
});

test("a function changes what its caller may change, but never in a GET", async () => {
  const ada = server.client(await server.sign({ role: "authenticated", sub: ADA, aud: "authenticated" }));
  expect((await ada.rpc("add_tag", { id: 50, label: "x" })).data).toEqual({ id: 50, label: "x" });
  const got = await ada.rpc("add_tag", { id: 51, label: "y" }, { get: true });
  expect(got).toMatchObject({ status: 405, error: { code: "25006" } });
  expect(await visitor.rpc("add_tag", { id: 52, label: "z" })).toMatchObject({ status: 401, error: { code: "42501" } });
});

describe("a call is refused", () => {
  test("for a name or arguments that no function has", async () => {
    expect(await visitor.rpc("nothing")).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(await visitor.rpc("add_up", { c: 1 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(await visitor.rpc("add_up", { b: 1 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
  });

  test("for an ambiguous overload", async () => {
    expect(await visitor.rpc("overloaded", { a: 1 })).toMatchObject({ status: 300, error: { code: "PGRST203" } });
  });

  test("with the function's own error", async () => {
    expect(await visitor.rpc("scold")).toMatchObject({
      status: 400,
      error: { code: "P0001", message: "Not today", details: "It rains", hint: "Tomorrow" },
    });
    expect(await visitor.rpc("teapot")).toMatchObject({ status: 418, error: { message: "Short and stout" } });
  });
});
