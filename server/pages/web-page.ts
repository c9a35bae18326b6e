import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { escapeHtml } from "../../shared/escape-html.ts";
import type { Database } from "../database/database.ts";
import { cardOf } from "./page-cards.ts";

/** Pages that may be found by a search. All others are somebody's own, or lead to what is. */
const PUBLIC = [
  /^\/(home|pricing|about|get-started|shop|privacy|terms|contact-us|affiliates)?$/,
  /^\/blog(\/|$)/,
  /^\/(assets\/|favicon\.svg$|sitemap\.xml$|preview\.jpg$|robots\.txt$)/,
];

/** Whether search engines may keep what is at this path. */
export const isPublicPage = (path: string): boolean => PUBLIC.some((pattern) => pattern.test(path));

/** How many pages are kept ready to be sent; more would be asked for by guessed addresses only. */
const MOST_KEPT = 200;

/** The page of the web app in `folder`, sent for every path of its own; `origin` is where it is reached. */
export function openPage(db: Database, folder: string, origin: string) {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const kept = new Map<string, ReturnType<typeof variants>>();
  const pageFor = (head: string) => {
    const page = kept.get(head) ?? variants(html, head);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(head, page);
    return page;
  };

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { etag, encoded } = pageFor(await headOf(db, request, origin));
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const encoding = (["br", "gzip"] as const).find((name) => accepts(accepted, name)) ?? "identity";
    reply.headers({ "cache-control": "no-cache", etag, vary: "accept-encoding" });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.type("text/html; charset=utf-8").send(encoded(encoding));
  };
}

/** The path of a request's address, without what follows it. */
export const pathOf = (url: string): string => url.split("?")[0] ?? "";

const accepts = (header: string, name: string) =>
  header.split(",").some((part) => {
    const [coding, quality] = part.trim().split(/\s*;\s*/);
    return coding === name && !/^q=0(\.0*)?$/.test(quality ?? "");
  });

const ENCODINGS = {
  br: (page: Buffer) => brotliCompressSync(page),
  gzip: (page: Buffer) => gzipSync(page, { level: 9 }),
  identity: (page: Buffer) => page,
};

function variants(html: string, head: string) {
  // What the build says of the home page gives way to what is said of this one.
  const bare = html.replace(/\s*<title>[^<]*<\/title>/, "").replace(/\s*<meta name="description"[^>]*>/, "");
  const page = Buffer.from(bare.replace("</head>", `${head}\n  </head>`));
  const packed = new Map<keyof typeof ENCODINGS, Buffer>();
  return {
    etag: `W/"${createHash("sha256").update(page).digest("base64url").slice(0, 22)}"`,
    /** The page, packed when it is first asked for. */
    encoded(encoding: keyof typeof ENCODINGS): Buffer {
      const known = packed.get(encoding) ?? ENCODINGS[encoding](page);
      packed.set(encoding, known);
      return known;
    },
  };
}

/**
 * The title and description of a page, and the same for messengers (Open Graph; the picture's address has to be a whole
 * one). A page that may be indexed names its address in each language.
 */
async function headOf(db: Database, request: FastifyRequest, origin: string): Promise<string> {
  const path = pathOf(request.url);
  const language = (request.query as { lng?: string }).lng === "it" ? "it" : "en";
  const { title, description, indexed } = await cardOf(db, path, language);
  const meta = (name: string, content: string) => `    <meta ${name} content="${escapeHtml(content)}">`;
  const link = (rel: string, href: string) => `    <link ${rel} href="${escapeHtml(origin + path + href)}">`;
  return [
    `    <title>${escapeHtml(title)}</title>`,
    meta('name="description"', description),
    meta('property="og:type"', "website"),
    meta('property="og:site_name"', "Skies"),
    meta('property="og:title"', title),
    meta('property="og:description"', description),
    meta('property="og:image"', `${origin}/preview.jpg`),
    meta('property="og:image:width"', "1200"),
    meta('property="og:image:height"', "630"),
    meta('property="og:image:alt"', "A quiet sky at dawn"),
    meta('name="twitter:card"', "summary_large_image"),
    ...(indexed
      ? [
          link('rel="canonical"', language === "it" ? "?lng=it" : ""),
          link('rel="alternate" hreflang="en"', "?lng=en"),
          link('rel="alternate" hreflang="it"', "?lng=it"),
          link('rel="alternate" hreflang="x-default"', ""),
        ]
      : []),
  ].join("\n");
}
