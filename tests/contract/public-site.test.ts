import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../scripts/setup/processes.mjs";
import { enqueuedTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer({ SEND_EMAIL_LIMIT: "1000" });
const ada = await signUp(server, "Ada");

async function write(contact: object, on = server) {
  const reply = await fetch(`${on.url}/.netlify/functions/send-email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      toEmail: "info@skies.example",
      subject: "Contact Form: A <question>",
      message: "<p>Hello<script>alert(1)</script></p>",
      contact,
    }),
  });
  return { status: reply.status, body: (await reply.json()) as { message?: string; code?: string } };
}
const nia = { name: "Nia <b>", email: "nia@example.com" };

test("Spec §7: a message of the contact form is stored for administrators and mailed, with who wrote it", async () => {
  expect((await write(nia)).status).toBe(202);
  const { rows } = await server.db.query("select name, email, subject, message from contact_messages");
  expect(rows).toEqual([{ ...nia, subject: "A <question>", message: "<p>Hello</p>" }]);
  const [email] = await enqueuedTo(server, "info@skies.example");
  expect(email?.props).toMatchObject({ subject: "Contact Form: A <question>" });
  expect(JSON.stringify(email?.props)).toContain("Nia &lt;b&gt;, nia@example.com");
});

test.each([
  [{ ...nia, name: " " }, "Name is required"],
  [{ ...nia, email: "" }, "Email is required"],
  [{ ...nia, email: "nia" }, "Invalid email format"],
])("Spec §5: it refuses %j and stores nothing", async (contact, message) => {
  const count = async () => (await server.db.query("select from contact_messages")).rows.length;
  const before = await count();
  expect(await write(contact)).toMatchObject({ status: 400, body: { message } });
  expect(await count()).toBe(before);
});

test("where the bot check is required, a message without its token is refused", async () => {
  const guarded = await testServer({ AUTH_BOT_CHECK: "true" }, server, { sandboxes: true });
  expect(await write(nia, guarded)).toMatchObject({ status: 400, body: { code: "captcha_failed" } });
});

test("nobody reads messages of the contact form but administrators", async () => {
  for (const client of [server.client(), ada.client]) {
    expect((await client.from("contact_messages").select()).data ?? []).toEqual([]);
  }
});

test("drafts and scheduled posts are seen by nobody else", async () => {
  const post = { language: "en", title: "Later", summary: "Not yet.", body: "<p>Soon</p>", author: "Ada" };
  await server.db.query(
    `insert into blog_posts (slug, language, title, summary, body, author, published_at)
     select slug, $1, $2, $3, $4, $5, at from (values ('draft', null), ('later', now() + interval '1 day')) v (slug, at)`,
    [post.language, post.title, post.summary, post.body, post.author],
  );
  const { data } = await server
    .client()
    .from("blog_posts")
    .select("slug")
    .in("slug", ["draft", "later", "a-box-of-slides"]);
  expect(data?.map(({ slug }) => slug)).toEqual(["a-box-of-slides", "a-box-of-slides"]);
  expect(await (await fetch(`${server.url}/blog/feed.xml`)).text()).not.toContain("Later");
});

test("the feed and the sitemap list what is published, and come again only when it has changed", async () => {
  const feed = await fetch(`${server.url}/blog/feed.xml?lng=it`);
  expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect(await feed.text()).toContain("<title>Che cosa fare con una scatola di diapositive</title>");
  const again = await fetch(`${server.url}/blog/feed.xml?lng=it`, {
    headers: { "if-none-match": feed.headers.get("etag") ?? "" },
  });
  expect(again.status).toBe(304);
  const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
  for (const path of ["/about", "/terms", "/blog/a-box-of-slides"]) expect(sitemap).toContain(`${path}</loc>`);
  expect(sitemap).not.toContain("/memory");
});

test("a post is in its page from its time on, harmless whatever was written, and not sent again unchanged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skies-built-"));
  await mkdir(join(folder, "web"));
  await writeFile(
    join(folder, "web/index.html"),
    '<html lang="en"><head></head><body><div id="root"></div></body></html>',
  );
  // Stands for the built pages: it shows what it reads.
  const renderer = `exports.renderPage = async (path, language, config, read) => {
    const words = await (await read(config.supabaseUrl + "/rest/v1/blog_posts?select=body&published_at=lte.now&slug=eq." + path.slice(6))).text();
    return { words, data: words };
  };`;
  await writeFile(join(folder, "render-pages.cjs"), renderer);
  const site = await testServer({}, server, { webFolder: join(folder, "web") });
  await server.db.query(
    `insert into blog_posts (slug, language, title, summary, author, body, published_at)
     values ('sly', 'en', 'Sly </script>', 'Sly.', 'Mallory', $1, now() + interval '2 seconds')`,
    ['<p style="position:fixed" class="z-50">Read me</p></div><font><b>unclosed'],
  );
  const page = () => fetch(`${site.url}/blog/sly`);
  const early = await page();
  expect(early.headers.get("x-robots-tag")).toBe("noindex");
  expect(await early.text()).not.toContain("Sly");
  await expect.poll(async () => (await page()).text(), { timeout: 30_000 }).toContain("Read me");
  const shown = await page();
  const html = await shown.text();
  expect(html).not.toMatch(/position:fixed|z-50|<font|Read me<\/p><\/div>/);
  expect(html).toContain('"@type":"BlogPosting","headline":"Sly \\u003c/script>"');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  const headers = { "if-none-match": shown.headers.get("etag") ?? "" };
  expect((await fetch(`${site.url}/blog/sly`, { headers })).status).toBe(304);
  await rm(folder, { recursive: true });
});

test("posts are written as Markdown and imported by the administrator's command, again where they changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skies-blog-"));
  const write = async (name: string, fields: object, text: string) => {
    const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
    await writeFile(join(folder, name), ["---", ...lines, "---", text].join("\n"));
    return join(folder, name);
  };
  const admin = async (...files: string[]) => {
    const env = { PATH: process.env.PATH, PORT: new URL(server.url).port, DATA_DIR: server.dataDir };
    const given = ["scripts/admin.mjs", "blog", "import", ...files];
    const { code, output } = await run(process.execPath, given, { quiet: true, env });
    return { ok: code === 0, output: output.replaceAll(`${folder}/`, "") };
  };
  const fields = { title: "Tea: a story", slug: "tea", summary: "About tea.", author: "Nia", date: "2026-01-02" };
  const text = "## First\n\nHello **there**.<script>alert(1)</script>";
  const english = await write("tea.en.md", { ...fields, language: "en" }, text);
  const italian = await write("tea.it.md", { ...fields, language: "it", date: "2199-01-01T08:00Z" }, "Ciao");
  expect(await admin(english, italian)).toEqual({
    ok: true,
    output: "tea (en): published\ntea (it): to appear at 2199-01-01T08:00:00.000Z\n",
  });
  await write("tea.en.md", { ...fields, language: "en", title: "Tea" }, text);
  expect((await admin(english)).output).toBe("tea (en): published\n");
  const { data } = await server.client().from("blog_posts").select("language, title, body").eq("slug", "tea");
  expect(data).toEqual([
    {
      language: "en",
      title: "Tea",
      body: expect.stringMatching(/^<h2>First<\/h2>\s*<p>Hello <strong>there<\/strong>\.<\/p>\s*$/),
    },
  ]);

  const broken = await write(
    "broken.md",
    { title: "", slug: "No Slug", langage: "en", draft: true, author: "Nia" },
    "Text",
  );
  expect(await admin(english, broken, join(folder, "none.md"))).toEqual({
    ok: false,
    output: `broken.md:2: title takes up to 200 characters
broken.md:3: slug takes small letters, digits and hyphens, as a-box-of-slides
broken.md:4: There is no field langage: title, slug, language, summary, author, date, draft
broken.md:7: language is missing
broken.md:7: summary is missing
none.md: There is no such file
`,
  });
  await rm(folder, { recursive: true });
});
