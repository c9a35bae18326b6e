import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { openPosts } from "./posts.ts";
import { isPublicPage, openPage, PageQuery, pageRoutes } from "./web-page.ts";

const db = await testDatabase();

const app = fastify();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-page-"));
  await writeFile(
    join(folder, "index.html"),
    "<!doctype html><html><head><title>Skies</title><script data-gate>gate()</script></head><body></body></html>",
  );
  const scanCard = async (code: string) => (code === "2K7Q" ? "AbCdEfGhIjKlMnOpQrStUv" : undefined);
  const page = openPage({
    db,
    posts: openPosts(db),
    previews: { find: async () => undefined },
    withRows: async () => undefined,
    folder,
    origin: "https://skies.example",
    processors: [],
    scanCard,
    staysAdmitted: async () => false,
    config: () => ({}),
  });
  pageRoutes(app).get("/*", { schema: { querystring: PageQuery } }, page);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const cardIn = (html: string) => html.match(/<(title|meta).*>/g);

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("the preview of a link that tells nothing is that of a link that does not exist", async () => {
  const { body } = await get("/shared/AbCdEfGhIjKlMnOpQrStUv");
  expect(body).toContain('<meta property="og:title" content="Someone shared a memory with you">');
  expect((await get("/shared/nobodysLinkOfAnyMemory?lng=it")).body).toContain(
    "Qualcuno ha condiviso un ricordo con te",
  );
  expect(body).toContain('<meta property="og:image" content="https://skies.example/preview.jpg">');
  expect((await get("/shared/nobodysLinkOfAnyMemory")).body).toBe(body);
  // The path as it is engraved on cards.
  expect(cardIn((await get("/C/2K7Q9XYZ0123")).body)).toEqual(cardIn(body));
  expect((await get("/")).body).toContain("Your Private Memory Portal");
});

test("only a link's page carries the scripts of the gate", async () => {
  expect((await get("/shared/AbCdEfGhIjKlMnOpQrStUv")).body).toContain("<script data-gate>");
  for (const path of ["/", "/about", "/dashboard", "/nothing/here"])
    expect((await get(path)).body).not.toContain("data-gate");
});

test("a share link with more behind its id leads to the page of the id", async () => {
  const id = "AbCdEfGhIjKlMnOpQrStUv";
  for (const tail of [".", "/Open", "4821", "PIN", "%E2%80%8B", "/here", "/11111111-2222"]) {
    const answer = await get(`/shared/${id}${tail}`);
    expect([tail, answer.statusCode, answer.headers.location]).toEqual([tail, 302, `/shared/${id}`]);
  }
  expect((await get(`/shared/${id}/11111111-2222-4333-8444-555555555555`)).statusCode).toBe(200);
});

test("a scanned card that opens a memory leads to its share gate, in the requested language", async () => {
  for (const path of ["/C/2K7Q", "/c/2K7Q/"]) {
    const answer = await get(`${path}?lng=it`);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "/shared/AbCdEfGhIjKlMnOpQrStUv?lng=it"]);
  }
  expect((await get("/c/2K7R9XYZ0123")).statusCode).toBe(200);
});

test("a public page has the title, preview and canonical URL of its language; a post has its own title", async () => {
  const about = (await get("/about?lng=it")).body;
  expect(about).toContain("<title>Chi siamo · Skies</title>");
  expect(about).toContain('<meta property="og:image" content="https://skies.example/previews/about.it.jpg">');
  expect(about).toContain('<link rel="canonical" href="https://skies.example/about?lng=it">');
  expect(about).toContain('<link rel="alternate" hreflang="en" href="https://skies.example/about?lng=en">');
  const post = (await get("/blog/a-box-of-slides")).body;
  expect(post.match(/<title>/g)).toHaveLength(1);
  expect(post).toContain("<title>What to do with a box of slides · Skies</title>");
  expect((await get("/blog/nothing-here")).body).not.toContain("canonical");
  expect((await get("/shared/AbCdEfGhIjKlMnOpQrStUv")).body).not.toContain("canonical");
});

test.each([
  ["/nowhere", 404],
  ["/wp-login.php/", 404],
  ["/shared", 404],
  ["/shared/a/b/c", 404],
  ["/blog/never-written", 404],
  ["/admin/secrets", 404],
  ["/About/", 200],
  ["/shared/nobodysLinkOfAnyMemory", 200],
  ["/memory/11111111-2222-4333-8444-555555555555", 200],
  ["/auth/callback?for=sign-in", 200],
  // Links that were cut off. What they lead to could not be anywhere.
  ["/shared/nobodysLink", 404],
  ["/shared/x", 404],
  ["/answer", 200],
  ["/answer/x", 404],
  ["/memory/11111111-2222-4333-8444-555555555555/questions", 200],
  ["/wall/nobodysWall", 404],
  ["/wall/nobodysWallOfAnyMemory", 200],
  ["/c/2K7R", 404],
  ["/c/2k7r-9xyz-0123", 200],
  ["/memory/x", 404],
  ["/memory/new", 200],
  ["/memory/last", 200],
  ["/memory/offline", 200],
  ["/Memory/11111111-2222-4333-8444-55555555555/print", 404],
  ["/groups/11111111", 404],
  ["/orders/SK-2026-000123", 404],
  ["/cards/11111111-2222-4333-8444-555555555555", 200],
])("the app's page at %s has the status %i", async (path, status) => {
  const answer = await get(path);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
  // A copy that the browser has is no reason to call a missing page unchanged.
  const again = await get(path, { "if-none-match": String(answer.headers.etag) });
  expect(again.statusCode).toBe(status === 404 ? 404 : 304);
});

test("the page has the encoding that its browser accepts, and is not sent again while unchanged", async () => {
  const plain = await get("/shared/nobodysLinkOfAnyMemory");
  const brotli = await get("/shared/nobodysLinkOfAnyMemory", { "accept-encoding": "gzip, deflate, br" });
  expect(brotli.headers).toMatchObject({
    "content-encoding": "br",
    "cache-control": "no-cache",
    vary: "accept-encoding, accept-language, cookie",
  });
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
  const gzip = await get("/shared/nobodysLinkOfAnyMemory", { "accept-encoding": "br;q=0, gzip" });
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  expect(
    (await get("/shared/nobodysLinkOfAnyMemory", { "if-none-match": String(plain.headers.etag) })).statusCode,
  ).toBe(304);
});

test.each([
  ["/", true],
  ["/pricing", true],
  ["/blog/a-post", true],
  ["/assets/main.js", true],
  ["/shared/AbCdEfGhIjKlMnOpQrStUv", false],
  ["/memory/1", false],
  ["/dashboard", false],
  ["/homework", false],
  ["/storage/v1/object/media/a.jpg", false],
])("search engines may index %s: %s", (path, may) => {
  expect(isPublicPage(path)).toBe(may);
});
