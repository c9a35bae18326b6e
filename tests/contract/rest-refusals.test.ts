import { beforeAll, describe, expect, test } from "vitest";
import { ADA, makeLibrary } from "../support/library.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const visitor = server.client();
/** The timeout for changes of the schema: the server reads the catalogue again at most once a second. */
const SOON = { timeout: 180_000 };

beforeAll(() => makeLibrary(server));

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}/rest/v1/${path}`, {
    ...init,
    headers: { apikey: server.keys.publishable, ...init.headers },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe("a missing permission", () => {
  test("Spec §8: an expired token answers 401 with 'JWT expired'", async () => {
    const expired = server.client(await server.sign({ role: "authenticated", sub: ADA }, -60));
    const { error, status } = await expired.from("authors").select();
    expect({ status, error }).toMatchObject({ status: 401, error: { code: "PGRST303", message: "JWT expired" } });
  });

  test("a malformed token answers 401", async () => {
    const { error, status } = await server.client("not.a.token").from("authors").select();
    expect({ status, code: error?.code }).toEqual({ status: 401, code: "PGRST301" });
  });

  test("a forbidden table answers 401 to a visitor and 403 to a signed-in person", async () => {
    await server.db.exec("create table closed (id integer); revoke all on closed from anon, authenticated");
    await expect
      .poll(() => visitor.from("closed").select(), SOON)
      .toMatchObject({ status: 401, error: { code: "42501" } });
    const ada = server.client(await server.sign({ role: "authenticated", sub: ADA }));
    expect(await ada.from("closed").select()).toMatchObject({ status: 403, error: { code: "42501" } });
  });
});

describe("an unknown resource is refused", () => {
  test.each<[string, number, string]>([
    ["nothing", 404, "PGRST205"],
    ["pg_class", 404, "PGRST205"],
    ["auth.users", 404, "PGRST205"],
    ["", 404, "PGRST125"],
    ["authors/1", 404, "PGRST125"],
    ["authors?select=nothing", 400, "42703"],
    ["authors?nothing=eq.1", 400, "42703"],
    ["authors?order=nothing", 400, "42703"],
  ])("%s", async (path, status, code) => {
    expect(await ask(path)).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  test("another schema, for reading and for writing", async () => {
    const refused = { status: 406, body: { code: "not_supported" } };
    expect(await ask("users", { headers: { "accept-profile": "auth" } })).toMatchObject(refused);
    const insert = { method: "POST", body: "{}", headers: { "content-profile": "auth" } };
    expect(await ask("users", insert)).toMatchObject(refused);
    expect((await visitor.schema("storage").from("objects").select()).error).toMatchObject({ code: "not_supported" });
  });
});

describe("a part of the protocol that the server does not offer is refused as such", () => {
  test.each([
    "books?select=pages.sum()",
    "books?select=author_id,total:pages.avg()",
    "books?select=pages::int.max()::text",
    "books?select=count()::text",
    "books?select=count(),authors!author_id(name)",
    "authors?select=name,books!author_id(pages.min())",
    "books?select=title::regclass",
    "books?select=title,loans_of(note)",
    "long_books?select=title,authors(name)",
    "authors?select=name,long_books(title)",
    "rpc/doubled?a=1",
    "rpc/shouted",
  ])("%s", async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { code: "not_supported", message: expect.stringMatching(/^This server .*\.$/) },
    });
  });
});

describe("an invalid request is refused", () => {
  test.each(["select=(", "id=5", "id=eq", "order=id.up", "limit=x", "or=id.eq.1", "select=a:", "id=is.maybe"])(
    "%s",
    async (query) => {
      const { status, body } = await ask(`authors?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: "PGRST100" });
      expect(Object.keys(body).sort()).toEqual(["code", "details", "hint", "message"]);
    },
  );

  test("a value of another type", async () => {
    expect(await ask("authors?id=eq.one")).toMatchObject({ status: 400, body: { code: "22P02" } });
    expect(await ask("authors?name=eq.%00")).toMatchObject({ status: 400 });
  });

  test("a body that is not JSON, or too large", async () => {
    const plain = { method: "POST", body: "x", headers: { "content-type": "text/plain" } };
    expect(await ask("authors", plain)).toMatchObject({ status: 415, body: { code: "PGRST102" } });
    const large = {
      method: "POST",
      body: `{"name":"${"x".repeat(2_000_000)}"}`,
      headers: { "content-type": "application/json" },
    };
    expect(await ask("authors", large)).toMatchObject({ status: 413 });
  });

  test("a URL that is too long, and too many filters", async () => {
    expect(await ask(`authors?select=${"x".repeat(13_000)}`)).toMatchObject({ status: 414 });
    expect(await ask(`authors?${Array(250).fill("id=eq.1").join("&")}`)).toMatchObject({ status: 400 });
  });
});

describe("an SQL injection", () => {
  const attempts = [
    "1; drop table books; --",
    "1' or '1'='1",
    "1) or (1=1",
    '"; drop table books; --',
    "$1[1]",
    "\\'; drop table books; --",
    "{1,2}::text); drop table books; --",
  ];

  test.each(attempts)("by a value finds nothing: %s", async (attempt) => {
    expect((await visitor.from("books").select("id").eq("title", attempt)).data).toEqual([]);
    expect((await visitor.from("books").select("id").in("title", [attempt])).data ?? []).toEqual([]);
    expect((await visitor.from("books").select("id").eq("id", attempt)).error).toMatchObject({ code: "22P02" });
  });

  test.each(attempts)("by a name is refused: %s", async (attempt) => {
    const quoted = `"${attempt.replaceAll(/["\\]/g, "\\$&")}"`;
    expect((await visitor.from("books").select(quoted)).error).toMatchObject({ code: "42703" });
    expect((await visitor.from("books").select("id").order(quoted)).error).toMatchObject({ code: "42703" });
    expect((await visitor.from("books").select("id").filter(quoted, "eq", "1")).error).toMatchObject({ code: "42703" });
  });

  test.each(attempts)("by an alias is only a name: %s", async (attempt) => {
    const quoted = `"${attempt.replaceAll(/["\\]/g, "\\$&")}"`;
    const { body } = await ask(`books?select=${encodeURIComponent(quoted)}:id&id=eq.1`);
    expect(body).toEqual([{ [attempt]: 1 }]);
  });

  test("leaves the rows as they are", async () => {
    expect((await visitor.from("books").select("id")).data).toHaveLength(3);
  });
});

test("a list has at most 1,000 rows, and a long response is compressed", async () => {
  await server.db.exec("create table many as select generate_series(1, 1500) as n; grant select on many to anon");
  await expect.poll(async () => (await visitor.from("many").select()).data?.length, SOON).toBe(1000);
  expect((await visitor.from("many").select().limit(1200)).data).toHaveLength(1000);
  expect(await visitor.from("many").select("n", { count: "exact", head: true })).toMatchObject({ count: 1500 });
  // Also with a limit, as the pages of a list are requested. The response names their range.
  const packed = await fetch(`${server.url}/rest/v1/many?limit=900`, { headers: { apikey: server.keys.publishable } });
  expect(packed.headers.get("content-encoding")).not.toBeNull();
  expect(packed.headers.get("content-range")).toBe("0-899/*");
  expect(await packed.json()).toHaveLength(900);
});
