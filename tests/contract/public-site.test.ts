import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../scripts/setup/processes.mjs";
import { retentionJob } from "../../server/jobs/housekeeping.ts";
import { coversJob } from "../../server/jobs/renditions.ts";
import { runOnce } from "../support/jobs.ts";
import { LONG } from "../support/long-tests.ts";
import { enqueuedTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { staffMember } from "../support/staff.ts";
import { jpeg } from "../support/uploads.ts";

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

test("Spec §7: a contact message is stored and emailed, with its sender", async () => {
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

test("administrators can read contact messages, visitors and members cannot", async () => {
  for (const client of [server.client(), ada.client]) {
    expect((await client.from("contact_messages").select()).data ?? []).toEqual([]);
  }
  const { client } = await staffMember(server, "admin");
  expect((await client.from("contact_messages").select("name, email")).data).toContainEqual(nia);
});

test("drafts and scheduled posts are not public", async () => {
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

test("the feed and the sitemap list published content, and an unchanged feed is answered with 304", async () => {
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

test("a post appears in its page at its time, sanitised, and an unchanged page is answered with 304", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skies-built-"));
  await mkdir(join(folder, "web"));
  await writeFile(
    join(folder, "web/index.html"),
    '<html lang="en"><head></head><body><div id="root"></div></body></html>',
  );
  // A substitute for the built pages, which shows what it reads.
  const renderer = `exports.renderPage = async (path, language, config, read) => {
    const html = await (await read(config.supabaseUrl + "/rest/v1/blog_posts?select=body&published_at=lte.now&slug=eq." + path.slice(6))).text();
    return { html, data: html };
  };`;
  await writeFile(join(folder, "render-pages.cjs"), renderer);
  const site = await testServer({}, server, { webFolder: join(folder, "web") });
  await server.db.query(
    `insert into blog_posts (slug, language, title, summary, author, body, published_at)
     values ('sly', 'en', 'Sly </script>', 'Sly.', 'Mallory', $1, now() + interval '2 seconds')`,
    ['<p style="position:fixed" class="z-50">Read me</p></div><font><b>unclosed'],
  );
  const page = () => fetch(`${site.url}/blog/sly`);
  let early = await page();
  // The post's time must be far enough ahead for a busy machine to read the page before it.
  for (let seconds = 2; ; seconds *= 2) {
    const { rows } = await server.db.query("select from blog_posts where slug = 'sly' and published_at > now()");
    if (rows.length > 0) break;
    const later = "update blog_posts set published_at = now() + make_interval(secs => $1) where slug = 'sly'";
    await server.db.query(later, [seconds]);
    early = await page();
  }
  expect([early.status, early.headers.get("x-robots-tag")]).toEqual([404, "noindex"]);
  expect(await early.text()).not.toContain("Sly");
  await expect.poll(async () => (await page()).text(), { timeout: 180_000 }).toContain("Read me");
  const answer = await page();
  const { rows: written } = await server.db.query<{ id: string }>("select id from blog_posts where slug = 'sly'");
  expect([answer.status, (await fetch(`${site.url}/blog/${written[0]?.id}`)).status]).toEqual([200, 200]);
  const html = await answer.text();
  expect(html).not.toMatch(/position:fixed|z-50|<font|Read me<\/p><\/div>/);
  expect(html).toContain('"@type":"BlogPosting","headline":"Sly \\u003c/script>"');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
  expect((await fetch(`${site.url}/blog/sly`, { headers })).status).toBe(304);
  await rm(folder, { recursive: true });
});

test("pages that are still open after an upgrade load the files of their own build, at every process", async () => {
  const build = async (file: string, text: string) => {
    const folder = join(await mkdtemp(join(tmpdir(), "skies-built-")), "web");
    await mkdir(join(folder, "assets"), { recursive: true });
    await writeFile(
      join(folder, "index.html"),
      '<html lang="en"><head></head><body><div id="root"></div></body></html>',
    );
    await writeFile(join(folder, "assets", file), text);
    return folder;
  };
  const before = await testServer({}, server, { webFolder: await build("Page-one.js", "export default 1;") });
  const rows = () => server.db.query("select path, left_at is null as newest from private.web_files order by path");
  await expect.poll(async () => (await rows()).rows).toEqual([{ path: "assets/Page-one.js", newest: true }]);
  const after = await testServer({}, server, { webFolder: await build("Page-two.js", "export default 2;") });
  await expect
    .poll(async () => (await rows()).rows)
    .toEqual([
      { path: "assets/Page-one.js", newest: false },
      { path: "assets/Page-two.js", newest: true },
    ]);
  for (const [site, file, text] of [
    [after, "Page-one.js", "export default 1;"],
    // The earlier version may still run beside it.
    [before, "Page-two.js", "export default 2;"],
  ] as const) {
    for (const encoding of ["br", "identity"]) {
      const reply = await fetch(`${site.url}/assets/${file}`, { headers: { "accept-encoding": encoding } });
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(await reply.text()).toBe(text);
    }
  }
  expect((await fetch(`${after.url}/assets/Page-three.js`)).status).toBe(404);
});

test("a cover is public with its post, appears in page, feed and preview, and is deleted if no post has it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skies-built-"));
  await writeFile(join(folder, "index.html"), '<html lang="en"><head></head><body><div id="root"></div></body></html>');
  const site = await testServer({}, server, { webFolder: folder });
  const editor = await staffMember(server, "editor");
  const [cover, unused] = ["a", "b"].map((end) => `00000000-0000-4000-8000-00000000000${end}.jpg`) as [string, string];
  const store = (name: string, who = editor.client) =>
    jpeg(1200, 800).then((b) => who.storage.from("covers").upload(name, b));
  for (const name of [cover, unused]) expect((await store(name)).error).toBeNull();
  expect((await store("00000000-0000-4000-8000-00000000000c.jpg", ada.client)).error).not.toBeNull();
  const post = {
    slug: "boat",
    title: "The boat",
    summary: "Ours.",
    body: "<p>Sails</p>",
    author: "Nia",
    language: "en",
  };
  const posts = () => editor.client.from("blog_posts");
  await posts()
    .insert({ ...post, cover, cover_alt: "A <boat>" })
    .throwOnError();

  const address = server.client().storage.from("covers").getPublicUrl(cover).data.publicUrl;
  const picture = address.replace("/object/", "/render/image/");
  const statuses = async () => [(await fetch(address)).status, (await fetch(`${picture}?width=640`)).status];
  expect(await statuses()).toEqual([404, 404]);
  const before = await posts().select("updated_at").eq("slug", "boat").single().throwOnError();
  await runOnce(coversJob({ db: server.db, files: server.files, log: console }));
  const described = await posts().select().eq("slug", "boat").single().throwOnError();
  expect(described.data).toMatchObject({
    cover_width: 1200,
    cover_height: 800,
    cover_placeholder: expect.stringMatching(/^data:image\/webp/),
    updated_at: before.data.updated_at,
  });
  await posts().update({ published_at: "2026-01-01" }).eq("slug", "boat").throwOnError();
  await expect.poll(statuses).toEqual([200, 200]);
  const image = await fetch(`${picture}?width=640`);
  expect(image.headers.get("content-type")).toBe("image/webp");
  expect(image.headers.get("x-robots-tag")).toBeNull();

  const named = `/storage/v1/render/image/public/covers/${cover}?width=1600`;
  const page = async () => (await fetch(`${site.url}/blog/boat`)).text();
  await expect.poll(page, { timeout: 180_000 }).toContain('property="og:image:alt" content="A &lt;boat&gt;"');
  expect(await page()).toMatch(/property="og:image" content="http[^"]+covers\/00000000[^"]+width=1600"/);
  expect(await page()).toContain('property="og:image:height" content="800"');
  expect(await page()).toMatch(/"image":"http[^"]+covers\/[^"]+"/);
  expect(await (await fetch(`${site.url}/blog/feed.xml`)).text()).toContain(`${named}" title="A &lt;boat&gt;"/>`);

  // An earlier version still has the cover.
  await posts().update({ cover: null, cover_alt: "" }).eq("slug", "boat").throwOnError();
  expect(await statuses()).toEqual([404, 404]);
  await server.db.query(
    "update storage.objects set created_at = now() - interval '31 days' where bucket_id = 'covers'",
  );
  await runOnce(retentionJob(server));
  const remaining = await editor.client.storage.from("covers").list();
  expect(remaining.data?.map(({ name }) => name)).toEqual([cover]);
  await rm(folder, { recursive: true });
});

test.runIf(LONG)(
  "the administrator's command imports Markdown posts, updates changed ones and reports errors",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "skies-blog-"));
    const write = async (name: string, fields: object, text: string) => {
      const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
      await writeFile(join(folder, name), ["---", ...lines, "---", text].join("\n"));
      return join(folder, name);
    };
    const admin = async (...files: string[]) => {
      const env = { PATH: process.env.PATH, PORT: new URL(server.url).port, DATA_DIR: server.dataDir };
      const args = ["scripts/admin.mjs", "blog", "import", ...files];
      const { code, output } = await run(process.execPath, args, { quiet: true, env });
      return { ok: code === 0, output: output.replaceAll(`${folder}/`, "") };
    };
    const fields = { title: "Tea: a story", slug: "tea", summary: "About tea.", author: "Nia", date: "2026-01-02" };
    const text = "## First\n\nHello **there**.<script>alert(1)</script>";
    const english = await write("tea.en.md", { ...fields, language: "en" }, text);
    await writeFile(join(folder, "cup.jpg"), await jpeg());
    const pictured = { cover: "cup.jpg", cover_alt: "Una tazza" };
    const later = { ...fields, ...pictured, language: "it", date: "2199-01-01T08:00Z" };
    const italian = await write("tea.it.md", later, "Ciao");
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

    const { rows } = await server.db.query(
      `select p.cover_alt, o.metadata ->> 'mimetype' as type from blog_posts p
     join storage.objects o on o.bucket_id = 'covers' and o.name = p.cover where p.slug = 'tea'`,
    );
    expect(rows).toEqual([{ cover_alt: "Una tazza", type: "image/jpeg" }]);

    const broken = await write(
      "broken.md",
      { title: "", slug: "No Slug", langage: "en", draft: true, author: "Nia", cover: "none.jpg" },
      "Text",
    );
    expect(await admin(english, broken, join(folder, "none.md"))).toEqual({
      ok: false,
      output: `broken.md:2: title takes up to 200 characters
broken.md:3: slug takes small letters, digits and hyphens, as a-box-of-slides
broken.md:4: There is no field langage: title, slug, language, summary, author, date, draft, cover, cover_alt
broken.md:8: language is missing
broken.md:8: summary is missing
broken.md:7: There is no picture none.jpg
none.md: There is no such file
`,
    });

    // Posts may come from somebody else, and publish no other pictures of this machine.
    const outside = join(dirname(folder), `outside-${basename(folder)}.jpg`);
    await writeFile(outside, await jpeg());
    await symlink(outside, join(folder, "linked.jpg"));
    await write("huge.md", { ...fields, language: "en" }, "x".repeat(1024 * 1024));
    const foreign = { ...fields, language: "en", cover: `../${basename(outside)}` };
    const linked = { ...foreign, slug: "linked", cover: "linked.jpg" };
    const files = [await write("foreign.md", foreign, "Text"), await write("linked.md", linked, "Text")];
    expect(
      (await admin(...files, join(folder, "huge.md"))).output,
    ).toBe(`foreign.md:8: The picture is not in the folder of the post
linked.md:8: The picture is not in the folder of the post
huge.md: It is larger than 1 MB
`);
    await rm(outside);
    await rm(folder, { recursive: true });
  },
);
