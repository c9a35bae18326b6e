import { beforeAll, describe, expect, test, vi } from "vitest";
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

test("a body may hold more than the arguments that the parameter columns names", async () => {
  const call = async (columns: string) =>
    fetch(`${server.url}/rest/v1/rpc/add_up?columns=${columns}`, {
      method: "POST",
      headers: { apikey: server.keys.publishable, "content-type": "application/json" },
      body: JSON.stringify({ a: 1, b: 2, c: 3 }),
    });
  expect(await (await call("a,b")).json()).toBe(3);
  expect(await (await call("a")).json()).toBe(11);
  expect((await call("a,c")).status).toBe(404);
});

test("a function is called by GET, HEAD or POST only", async () => {
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const response = await fetch(`${server.url}/rest/v1/rpc/titles`, {
      method,
      headers: { apikey: server.keys.publishable },
    });
    expect(response.status).toBe(405);
    expect(await response.json()).toMatchObject({
      code: "PGRST101",
      message: `Cannot use the ${method} method on RPC`,
    });
  }
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
    const twice = await fetch(`${server.url}/rest/v1/rpc/add_up?c=1&c=2`, {
      headers: { apikey: server.keys.publishable },
    });
    expect(await twice.json()).toMatchObject({
      message: "Could not find the function public.add_up(c) in the schema cache",
    });
  });

  test("for an ambiguous overload", async () => {
    expect(await visitor.rpc("overloaded", { a: 1 })).toMatchObject({
      status: 300,
      error: {
        code: "PGRST203",
        message: expect.stringMatching(/public\.overloaded\(a => integer\), public\.overloaded\(a => text\)$/),
        details: null,
      },
    });
  });

  test("if unnamed arguments make it ambiguous", async () => {
    await server.db.exec(`
      create function unsure(a text) returns text language sql return 'text';
      create function unsure(a integer) returns text language sql return 'integer';
      create function vague() returns text language sql return 'none';
      create function vague(text default '') returns text language sql return 'text';
      notify pgrst, 'reload schema'`);
    await vi.waitUntil(async () => (await visitor.rpc("vague", {})).status !== 404, { timeout: 180_000 });
    for (const args of [{}, { "": "x" }]) {
      expect(await visitor.rpc("vague", args)).toMatchObject({ status: 400, error: { code: "not_supported" } });
    }
    // The candidates are sorted, whichever was made first.
    const { error } = await visitor.rpc("unsure", { a: 1 });
    expect(error?.message).toMatch(/unsure\(a => integer\), public\.unsure\(a => text\)$/);
  });

  test("if its filter by POST has no operator", async () => {
    const response = await fetch(`${server.url}/rest/v1/rpc/longest?title=Notes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"at_least": 0}',
    });
    expect(await response.json()).toMatchObject({ code: "PGRST100", message: expect.stringContaining("Notes") });
    expect(response.status).toBe(400);
  });

  test("with the function's own error", async () => {
    expect(await visitor.rpc("scold")).toMatchObject({
      status: 400,
      error: { code: "P0001", message: "Not today", details: "It rains", hint: "Tomorrow" },
    });
    expect(await visitor.rpc("teapot")).toMatchObject({ status: 418, error: { message: "Short and stout" } });
  });
});

describe.each([{ get: false }, { get: true }])("a count, with get: $get", ({ get }) => {
  test.each<[string, object, number]>([
    ["add_up", { a: 1 }, 1],
    ["first_author", {}, 1],
    ["titles", {}, 3],
    ["longest", { at_least: 100 }, 2],
    ["numbers", { upto: 4 }, 4],
  ])("of the rows of %s", async (name, args, count) => {
    expect(await visitor.rpc(name, args, { get, count: "exact" })).toMatchObject({ error: null, count });
  });
});

describe("an answer of a function", () => {
  const call = (name: string, args: object, headers: Record<string, string>) =>
    fetch(`${server.url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: server.keys.secret, "content-type": "application/json", ...headers },
      body: JSON.stringify(args),
    });

  test("without a result has a count, too", async () => {
    expect(await server.service().rpc("forget", {}, { count: "exact" })).toMatchObject({ count: 1, status: 204 });
  });

  test("is not changed by return=minimal, which is not applied", async () => {
    const response = await call("add_up", { a: 1 }, { prefer: "return=minimal,count=exact" });
    expect([response.status, await response.text()]).toEqual([200, "11"]);
    expect(response.headers.get("preference-applied")).toBe("count=exact");
  });

  test.each<[string, object, string]>([
    ["add_up", { a: 1 }, "pgrst_scalar\n11"],
    ["titles", {}, 'pgrst_scalar\nNotes\nEngines\n"Design, as art"'],
    ["numbers", { upto: 2 }, "n,square\n1,1\n2,4"],
  ])("of %s can be CSV", async (name, args, csv) => {
    const response = await call(name, args, { accept: "text/csv" });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await response.text()).toBe(csv);
  });

  test("is one object only if there is one", async () => {
    const accept = "application/vnd.pgrst.object+json";
    const response = await call("add_up", { a: 1 }, { accept });
    expect(response.headers.get("content-type")).toBe(`${accept}; charset=utf-8`);
    expect(await response.json()).toBe(11);
    expect((await call("titles", {}, { accept })).status).toBe(406);
  });

  test("leaves out nulls on request", async () => {
    const response = await call(
      "echo",
      { a: 1, b: null },
      { accept: "application/vnd.pgrst.array+json;nulls=stripped" },
    );
    expect(response.headers.get("content-type")).toBe("application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8");
    expect(await response.json()).toEqual({ a: 1 });
  });

  test("has the status and headers that the function raises", async () => {
    const response = await call("refuse_wholly", {}, {});
    expect([response.status, response.headers.get("x-reason")]).toEqual([402, "tired"]);
    expect(await response.json()).toEqual({ code: "X1", message: "No", details: "d", hint: "h" });
  });

  test("has the status and headers that the function sets, and those of no other response", async () => {
    await server.db.exec(`
      create function pending() returns text language sql as $$
        select set_config('response.status', '202', true), set_config('response.headers', '[{"X-Place": "3"}]', true);
        select concat_ws(' ', current_setting('request.method', true), current_setting('request.path', true),
          current_setting('request.headers', true)::json ->> 'x-from') $$;
      notify pgrst, 'reload schema';`);
    await expect.poll(async () => (await call("pending", {}, {})).status, { timeout: 180_000 }).toBe(202);
    const response = await call("pending", {}, { "x-from": "here" });
    expect(response.headers.get("x-place")).toBe("3");
    expect(await response.json()).toBe("POST /rpc/pending here");
    const next = await call("add_up", { a: 1 }, {});
    expect([next.status, next.headers.get("x-place")]).toEqual([200, null]);
  });

  test("of values is filtered and sorted by their own name", async () => {
    const read = async (query: string) => {
      const response = await fetch(`${server.url}/rest/v1/rpc/titles?${query}`);
      return { status: response.status, body: await response.json() };
    };
    expect((await read("pgrst_scalar=like.N*")).body).toEqual(["Notes"]);
    expect((await read("order=pgrst_scalar&limit=1")).body).toEqual(["Design, as art"]);
    expect(await read("title=eq.Notes")).toMatchObject({ status: 400, body: { code: "42703" } });
  });

  test("has no limit of affected rows", async () => {
    const prefer = "handling=strict,max-affected=1";
    expect(await (await call("add_up", { a: 1 }, { prefer })).json()).toMatchObject({ code: "PGRST128" });
    expect(await (await call("titles", {}, { prefer })).json()).toMatchObject({ code: "not_supported" });
  });
});

describe("a response that cannot be sent undoes the change", () => {
  let bearer = "";

  beforeAll(async () => {
    bearer = `Bearer ${await server.sign({ role: "authenticated", sub: ADA, aud: "authenticated" })}`;
    await server.db.exec(`
      create function respond(status text, headers text) returns text language sql as $$
        insert into tags values (900, 'called');
        select set_config('response.status', status, true), set_config('response.headers', headers, true);
        select 'done' $$;
      create function respond_as_labelled() returns trigger language plpgsql as $$ begin
        perform set_config('response.status', new.label::json ->> 'status', true),
          set_config('response.headers', new.label::json ->> 'headers', true);
        return new; end $$;
      create trigger respond before insert on tags for each row when (new.label like '{%')
        execute function respond_as_labelled();
      grant execute on function respond, respond_as_labelled to authenticated;
      notify pgrst, 'reload schema'`);
    const isKnown = async () => (await server.client().rpc("respond", { status: "", headers: "" })).status !== 404;
    await vi.waitUntil(isKnown, { timeout: 180_000 });
  });

  test.each([
    ...["abc", "99", "600", "2e2", "200.5"].map((status) => ["PGRST112", status, ""] as const),
    ...[
      "{",
      "{}",
      "1",
      "[1]",
      "[null]",
      "[[]]",
      '[{"a": 1}]',
      '[{"a": "1", "b": "2"}]',
      "[{}]",
      '[{"a b": "1"}]',
      '[{"a": "1\\r\\nb: 2"}]',
      '[{"a": "\\u0000"}]',
      '[{"a": "\u2026"}]',
      '[{"a": "1"}, 2]',
    ].map((headers) => ["PGRST111", "", headers] as const),
  ])("%s for status '%s', headers '%s'", async (code, status, headers) => {
    const tags = "select * from tags order by id";
    const before = (await server.db.query(tags)).rows;
    const post = async (path: string, body: object) => {
      const response = await fetch(`${server.url}/rest/v1/${path}`, {
        method: "POST",
        headers: { authorization: bearer, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [response.status, (await response.json()).code];
    };
    expect(await post("rpc/respond", { status, headers })).toEqual([500, code]);
    expect(await post("tags", { id: 901, label: JSON.stringify({ status, headers }) })).toEqual([500, code]);
    expect((await server.db.query(tags)).rows).toEqual(before);
  });

  test("unless it can be sent", async () => {
    const response = await fetch(`${server.url}/rest/v1/rpc/respond`, {
      method: "POST",
      headers: { authorization: bearer, "content-type": "application/json" },
      body: JSON.stringify({ status: "299", headers: '[{"X-One": "a\\tb"}, {"X-Two": ""}]' }),
    });
    expect([response.status, response.headers.get("x-one"), response.headers.get("x-two")]).toEqual([299, "a\tb", ""]);
    expect((await server.db.query("select label from tags where id = 900")).rows).toEqual([{ label: "called" }]);
  });
});
