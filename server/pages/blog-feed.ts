import { createHash } from "node:crypto";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { escapeHtml } from "../../shared/escape-html.ts";
import { coverOf, publicPaths } from "./page-cards.ts";
import type { Language, Post, Posts } from "./posts.ts";
import { PageQuery, pageRoutes } from "./web-page.ts";

const MOST_ENTRIES = 50;
const TITLES = { en: "Skies · Blog", it: "Skies · Blog (italiano)" };

/** Serves `/blog/feed.xml`, an Atom feed of the posts in one language, and `/sitemap.xml`. `origin`: the site's URL. */
export const blogFeed =
  (source: Posts, origin: string): FastifyPluginAsync =>
  async (app) => {
    pageRoutes(app).get("/blog/feed.xml", { schema: { querystring: PageQuery } }, async (request, reply) => {
      const language = request.query.lng === "it" ? "it" : "en";
      const posts = (await source.inLanguage(language)).slice(0, MOST_ENTRIES);
      return send(request, reply, "application/atom+xml", feed(posts, language, origin));
    });

    app.get("/sitemap.xml", async (request, reply) => {
      const posts = await source.inLanguage("en");
      return send(request, reply, "application/xml", sitemap(posts, origin));
    });
  };

function feed(posts: readonly Post[], language: Language, origin: string): string {
  const self = `${origin}/blog/feed.xml?lng=${language}`;
  const updated = new Date(Math.max(0, ...posts.map(({ updated_at }) => updated_at.getTime()))).toISOString();
  const entries = posts.map((post) => {
    const { slug, title, summary, author, published_at, updated_at } = post;
    const cover = coverOf(post);
    const enclosure = cover
      ? `\n    <link rel="enclosure" type="image/webp" href="${escapeHtml(`${origin}/${cover.picture}`)}" title="${escapeHtml(cover.pictureAlt)}"/>`
      : "";
    const url = escapeHtml(`${origin}/blog/${slug}?lng=${language}`);
    return `  <entry>
    <id>${url}</id>
    <title>${escapeHtml(title)}</title>
    <link href="${url}"/>${enclosure}
    <published>${published_at.toISOString()}</published>
    <updated>${updated_at.toISOString()}</updated>
    <author><name>${escapeHtml(author)}</name></author>
    <summary>${escapeHtml(summary)}</summary>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>${escapeHtml(self)}</id>
  <title>${TITLES[language]}</title>
  <link rel="self" href="${escapeHtml(self)}"/>
  <link href="${escapeHtml(`${origin}/blog?lng=${language}`)}"/>
  <updated>${updated}</updated>
${entries.join("\n")}
</feed>
`;
}

function sitemap(posts: readonly Post[], origin: string): string {
  const paths = [...publicPaths.filter((path) => path !== "/home"), ...posts.map(({ slug }) => `/blog/${slug}`)];
  const urls = paths.map(
    (path) => `  <url>
    <loc>${escapeHtml(origin + path)}</loc>
    <xhtml:link rel="alternate" hreflang="en" href="${escapeHtml(`${origin}${path}?lng=en`)}"/>
    <xhtml:link rel="alternate" hreflang="it" href="${escapeHtml(`${origin}${path}?lng=it`)}"/>
  </url>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join("\n")}
</urlset>
`;
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string) {
  const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  reply.headers({ "cache-control": "public, max-age=300", etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(body);
}
