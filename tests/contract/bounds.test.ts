import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { STORY_LIMIT } from "../../shared/story-html.ts";
import { sendRaw } from "../support/hostile-requests.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow } from "../support/sharing.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
const server = await testServer({}, undefined, { webFolder });

let ada: Person;
let stranger: Person;
let memory: string;
beforeAll(async () => {
  ada = await signUp(server, "Ada");
  stranger = await signUp(server, "Stranger");
  const data = await newRow(ada.client, "memories", { person_name: "Rosa" });
  memory = data.id;
});

const target = () => ({ url: server.url, publishableKey: server.keys.publishable, token: ada.token, memory });

describe("long texts", () => {
  test("Spec §3: a story of the largest size, 600 kB of Italian and Japanese, is kept byte for byte", async () => {
    const line = "<p>Così è stato, sempre così — 祖母は毎晩歌った。<em>E poi</em> rideva.<br>日が暮れるまで。</p>";
    const body = line.repeat(Math.floor(STORY_LIMIT / line.length));
    const { data, error } = await ada.client
      .from("stories")
      .insert({ memory_id: memory, body })
      .select("body")
      .single();
    expect(error).toBeNull();
    expect(data?.body).toBe(body);
  });

  test("are sanitised, however long they are", async () => {
    const body = `${"<p>We swam.</p>".repeat(2000)}<img src=x onerror=hit()><script>hit()</script><p>The end.</p>`;
    const { data } = await ada.client.from("stories").insert({ memory_id: memory, body }).select("body").single();
    expect(data?.body).toBe(`${"<p>We swam.</p>".repeat(2000)}<p>The end.</p>`);
    const described = await ada.client
      .from("memories")
      .update({ description: body })
      .eq("id", memory)
      .select("description");
    expect(described.data).toEqual([{ description: data?.body }]);
  });

  test("in many rows of one request are each sanitised on their own", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({
      memory_id: memory,
      title: `${index}`,
      body: `<p>${index}</p><script>${index}</script>${"<p>more</p>".repeat(100)}`,
    }));
    const { data } = await ada.client.from("stories").insert(rows).select("title, body").throwOnError();
    expect(data).toEqual(rows.map(({ title }) => ({ title, body: `<p>${title}</p>${"<p>more</p>".repeat(100)}` })));
  });
});

describe("write permission is checked before a long text is sanitised", () => {
  // The sanitiser would refuse this depth.
  const deep = "<blockquote>".repeat(800);

  test.each([
    ["a visitor", () => server.client(), 401],
    ["somebody who may not see the memory", () => stranger.client, 403],
    ["its owner", () => ada.client, 400],
  ] as const)("%s", async (_who, client, status) => {
    const answer = await client().from("stories").insert({ memory_id: memory, body: deep });
    expect(answer.status).toBe(status);
  });

  test("an update that matches no row succeeds without sanitising", async () => {
    const answer = await stranger.client.from("memories").update({ description: deep }).eq("id", memory);
    expect(answer).toMatchObject({ status: 204, error: null });
  });

  test("a refused text leaves no story behind", async () => {
    const count = () => server.db.query("select count(*) as count from stories").then(({ rows }) => rows[0]);
    const before = await count();
    await ada.client.from("stories").insert({ memory_id: memory, body: deep });
    expect(await count()).toEqual(before);
  });
});

describe("a long URL", () => {
  const path = `/rest/v1/memories?a=${"x".repeat(30_000)}`;

  test("is allowed in a preflight, so that a browser gets to read the refusal", async () => {
    const headers = {
      origin: "https://example.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": "apikey",
    };
    const preflight = await sendRaw(target(), { method: "OPTIONS", path, headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "apikey",
    });
    const refused = await sendRaw(target(), { path, headers: { origin: "https://example.com" } });
    expect(refused.status).toBe(414);
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
  });
});

describe("an unknown API path gets a JSON 404, not the web app", () => {
  const FORMAT: [prefix: string, format: Record<string, unknown>][] = [
    ["/rest/v1", { code: "PGRST125", details: null, hint: null, message: expect.any(String) }],
    ["/auth/v1", { code: 404, error_code: "not_found", msg: expect.any(String) }],
    ["/storage/v1", { statusCode: "404", error: "not_found", message: expect.any(String) }],
    ["/realtime/v1", { code: "not_found", message: expect.any(String) }],
    ["/functions/v1", { code: "not_found", message: expect.any(String) }],
    ["/.netlify/functions", { code: "not_found", message: expect.any(String) }],
  ];
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];
  const PATHS = ["", "/", "/no/such/path", "/no/such.jpg", "/no/%20?a=b"];
  const requests = FORMAT.flatMap(([prefix, format]) =>
    METHODS.flatMap((method) => PATHS.map((path) => [method, `${prefix}${path}`, format] as const)),
  );

  test.each(requests)("%s %s", async (method, path, format) => {
    const { status, headers, text } = await sendRaw(target(), { method, path });
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 404, body: format });
  });

  test("a path of the web app still serves the app", async () => {
    expect((await sendRaw(target(), { path: "/memory/new" })).text).toContain("The app");
  });
});
