import { expect, test } from "vitest";
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
  const [letter] = await enqueuedTo(server, "info@skies.example");
  expect(letter?.props).toMatchObject({ subject: "Contact Form: A <question>" });
  expect(JSON.stringify(letter?.props)).toContain("Nia &lt;b&gt;, nia@example.com");
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
