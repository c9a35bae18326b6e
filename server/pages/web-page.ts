import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { escapeHtml } from "../../shared/escape-html.ts";
import { invitationTokenIn, namesInvitation } from "../../shared/invitation-link.ts";
import { RequestError } from "../../shared/request-error.ts";
import { isShareId, typedShareId } from "../../shared/typed-text.ts";
import type { ScanCard } from "../cards/scanned-card.ts";
import type { Database } from "../database/database.ts";
import type { StaysAdmitted } from "../sharing/link-devices.ts";
import { asksFor, hasEnded } from "../sharing/links.ts";
import { withSchemas } from "../supabase/route-schemas.ts";
import type { LinkPreviews } from "./link-previews.ts";
import { cardOf, DRAWN, type PageCard, publicPaths } from "./page-cards.ts";
import { gateOf, publicOf, withLateScripts, withoutGate, withStyles } from "./page-html.ts";
import { hasPossibleIds, pagePattern, withoutSlash } from "./page-patterns.ts";
import type { openPagesWithRows, RowPage } from "./pages-with-rows.ts";
import type { Language, Post, Posts } from "./posts.ts";

/** Files and posts that search engines may index. */
const PUBLIC = [
  /^\/blog\//,
  /^\/(assets\/|pictures\/|previews\/|icons\/|favicon\.(svg|ico)$|apple-touch-icon\.png$|manifest\.webmanifest$|sitemap\.xml$|preview\.jpg$|robots\.txt$)/,
  /^\/storage\/v1\/render\/image\/public\//,
];

/** Whether search engines may keep what is at this path. */
export const isPublicPage = (path: string): boolean =>
  publicPaths.includes(path) || PUBLIC.some((pattern) => pattern.test(path));

/** The query parameters of pages. Invalid and unknown ones are ignored, so that no page is refused. */
export const PageQuery = z.object({ lng: z.string().optional().catch(undefined) });
/** The app for routes of pages, with their schemas. */
export const pageRoutes = (app: FastifyInstance) => withSchemas(app, () => new RequestError("malformed"));
type PageRequest = FastifyRequest<{ Querystring: z.output<typeof PageQuery> }>;

/** The maximum number of cached pages; only guessed URLs would cause more. */
const MOST_KEPT = 200;

/** The output of the prerendering: HTML by language and page name, and script files by URL pattern. */
interface Prerendered {
  html: Record<Language, Record<string, string>>;
  scripts: Record<string, string[]>;
  /** Scripts to preload while a PIN is typed. */
  later: string[];
}

interface PageSources {
  db: Database;
  posts: Posts;
  previews: Pick<LinkPreviews, "find">;
  /** Renders pages that show rows. */
  withRows: ReturnType<typeof openPagesWithRows>;
  /** The folder of the built web app. `prerendered.json` is beside it. */
  folder: string;
  /** The public URL of the site, without a path. */
  origin: string;
  /** The companies that process data, named on the page about privacy. */
  processors: readonly string[];
  scanCard: ScanCard;
  staysAdmitted: StaysAdmitted;
  /** The content of `/config.json`. */
  config: (request: FastifyRequest) => object;
}

interface PageParts {
  head: string;
  /** Scripts of this page alone. */
  scripts: readonly string[];
  language: Language;
  /** The secret that a link requires: null for none, undefined if the page is not a link's. */
  asks: string | null | undefined;
  /** Whether the link has ended for those whom it does not ask; the service worker then deletes its offline copy. */
  ended: boolean;
  /** The content of `/config.json`, for pages that need it before they send a request. */
  config: string | undefined;
  /** The page's name in `prerendered.json`. */
  name: string;
  /** The page rendered with public rows, if it shows any. */
  rows: RowPage | undefined;
}

/** Serves the web app's page for all its paths, prerendered where the content is the same for all visitors. */
export function openPage({
  db,
  posts,
  previews,
  withRows,
  folder,
  origin,
  processors,
  scanCard,
  staysAdmitted,
  config,
}: PageSources) {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const rendered = join(folder, "../prerendered.json");
  const prerendered: Prerendered = existsSync(rendered)
    ? JSON.parse(readFileSync(rendered, "utf8"))
    : { html: { en: {}, it: {} }, scripts: {}, later: [] };
  const styled = withStyles(folder, html);
  const gate = gateOf(styled);
  const publicHtml = publicOf(withoutGate(styled));
  const appHtml = withoutGate(html);
  const pages = new Map<string, ReturnType<typeof variants>>();

  return async (request: PageRequest, reply: FastifyReply) => {
    const path = pathOf(request.url);
    // A card of a memory redirects to the share gate directly: reception at graves is poor.
    const code = /^\/c\/([^/]+)\/?$/i.exec(path)?.[1];
    const shareId = code && (await scanCard(decoded(code), request.ip));
    if (shareId && code) reply.header("set-cookie", cardCookie(shareId, decoded(code)));
    if (shareId) return reply.redirect(`/shared/${shareId}${request.url.slice(path.length)}`);
    const whole = wholeLink(path);
    if (whole !== undefined) return reply.redirect(whole + request.url.slice(path.length));
    const language = languageOf(request);
    const [card, asks] = await Promise.all([
      cardOf({ posts, previews }, path, language),
      askedAt(path, request.headers.cookie),
    ]);
    const ended = asks === null && (await hasEnded(db, shareIdIn(path) ?? ""));
    const pattern = patternOf(path);
    const rows = card.indexed ? await withRows(withoutSlash(path), pattern, language) : undefined;
    const head = headOf(card, origin, path, language, request.query.lng === "it");
    const scripts = prerendered.scripts[pattern.replace("/:memoryId", "")] ?? [];
    const { etag, encoded } = pageFor({
      head,
      scripts,
      language,
      asks,
      ended,
      config: asks === undefined ? undefined : JSON.stringify(config(request)),
      name: nameOf(path, asks),
      rows,
    });
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const encoding = (["br", "gzip"] as const).find((name) => accepts(accepted, name)) ?? "identity";
    if (!card.indexed) reply.header("x-robots-tag", "noindex");
    // Devices that stay admitted get a link's page without the gate.
    const vary = asks === undefined ? "accept-encoding, accept-language" : "accept-encoding, accept-language, cookie";
    reply.headers({ "cache-control": "no-cache", etag, vary });
    // The app shows the reader that there is nothing; the status informs search engines and link checkers.
    const isMissing = pattern === "/*" || (pattern === "/blog/:id" && !card.post) || !hasPossibleIds(pattern, path);
    if (isMissing) reply.code(404);
    else if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.type("text/html; charset=utf-8").send(encoded(encoding));
  };

  function pageFor(parts: PageParts) {
    const key = JSON.stringify({ ...parts, rows: parts.rows?.version });
    const page = pages.get(key) ?? variants(Buffer.from(compose(parts)));
    if (pages.size >= MOST_KEPT) pages.clear();
    pages.set(key, page);
    return page;
  }

  function compose({ head, scripts, language, asks, ended, config, name, rows }: PageParts): string {
    const html = rows?.html ?? prerendered.html[language][name];
    const isPublic = html !== undefined && asks === undefined;
    // The page's own metadata replaces the home page's from the build.
    const bare = (isPublic ? publicHtml : asks === undefined ? appHtml : gate)
      .replace(/\s*<title>[^<]*<\/title>/, "")
      .replace(/\s*<meta name="description"[^>]*>/, "");
    // A link without a secret needs at once the files that are otherwise loaded while a PIN is typed.
    const opens = asks === null;
    const soon = opens ? prerendered.later : [];
    const needed = [...scripts, ...soon].map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">`);
    const data = rows ? [`    <script type="application/json" id="page-data">${rows.data}</script>`] : [];
    // Before the scripts, which read them.
    const settings = config
      ? `<script type="application/json" id="config"${opens ? (ended ? ' data-open="ended"' : " data-open") : ""}>${config.replaceAll("<", "\\u003c")}</script>\n    `
      : "";
    const composed = bare
      .replace("<script>", () => `${settings}<script>`)
      .replace("</head>", () => `${[head, ...needed, ...data].join("\n")}\n  </head>`);
    const late = isPublic || asks !== undefined;
    const page = late ? withLateScripts(composed, { wait: html !== undefined || opens, load: opens }) : composed;
    const attributes = asks ? ` data-asks="${asks}" data-later="${prerendered.later.join(" ")}"` : "";
    if (html === undefined) return page.replace('<div id="root"', `$&${attributes}`);
    return page
      .replace('lang="en"', `lang="${language}"`)
      .replace('<div id="root">', () => `<div id="root"${attributes} data-prerendered>${named(html, language)}`);
  }

  /** The secret that the link at this path requires now: undefined for no link, null if none is required. */
  async function askedAt(path: string, cookies: string | undefined) {
    const id = shareIdIn(path);
    // The page says that an incomplete link is incomplete.
    if (id === undefined || !isShareId(id)) return undefined;
    const asks = await asksFor(db, id);
    return asks !== null && (await staysAdmitted(id, cookies)) ? null : asks;
  }

  /** The page's name in `prerendered.json`; pages without an entry are rendered by the app. */
  function nameOf(path: string, asks: string | null | undefined): string {
    if (asks === "pin") return "/shared";
    const pattern = patternOf(path);
    if (pattern === "/privacy" && processors.length === 0) return "/privacy (no processors)";
    return pattern === "/*" ? "*" : pattern;
  }

  /** Replaces the placeholder for data processors in prerendered HTML. */
  function named(html: string, language: Language): string {
    const list = new Intl.ListFormat(language === "en" ? "en-GB" : language).format(processors);
    return html.replaceAll("%PROCESSORS%", () => escapeHtml(list));
  }
}

/**
 * Tells a link's page which card has led to it, so that the page's offline copy opens by the card's code, too. Only this
 * page receives it, and its script can read it.
 */
const cardCookie = (shareId: string, code: string) =>
  `skies-card=${code.replace(/\W/g, "").toUpperCase()}; Path=/shared/${shareId}; Max-Age=600; SameSite=Lax`;

/**
 * The URL of a share link that arrived with more than its id, e.g. the full stop of a sentence, or with its `#` encoded;
 * undefined for other paths. Without this, the id would be unknown, and the link would seem to need a PIN.
 */
function wholeLink(path: string): string | undefined {
  const [, start = "", end, rest = ""] = /^(\/shared\/)([^/]+)(\/.*)?$/i.exec(path) ?? [];
  if (end === undefined) return undefined;
  const text = decoded(end);
  const id = typedShareId(text);
  const isOfAlbum = /^\/[0-9a-f-]{36}$/i.test(rest);
  const isRight = rest === "" || rest === "/" || isOfAlbum || !(isShareId(id) || namesInvitation(rest));
  if (id === "" || (id === end && isRight)) return undefined;
  return `${start}${id}${isOfAlbum ? rest : ""}${fragmentIn(decoded(text + rest))}`;
}

/** The fragment in the end of a link: mail programs that encode links also encode the `#` before a token. */
function fragmentIn(text: string): string {
  // An invitation without its token is named, so that the page can tell that the link is incomplete.
  if (namesInvitation(text)) return `#invitation=${invitationTokenIn(text) ?? ""}`;
  const fragment = /(?:#|%23)(\w+)(?:=|%3d)([\w-]+)/i.exec(text);
  return fragment ? `#${fragment[1]}=${fragment[2]}` : "";
}

/** The pattern of the app's page for a path. Like the app, it ignores case, as cards need, and trailing slashes. */
const patternOf = (path: string) => pagePattern(withoutSlash(path).toLowerCase());

/** The share id in the path of a link's page; undefined for other pages. */
function shareIdIn(path: string): string | undefined {
  const id = /^\/shared\/([^/]+)/i.exec(path)?.[1];
  return id && decoded(id);
}

/** The path of a request's URL, without its query. */
export const pathOf = (url: string): string => url.split("?")[0] ?? "";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The language that the app would choose: that of the `lng` parameter, or the browser's first supported one. */
export function languageOf({ query, headers }: Pick<PageRequest, "query" | "headers">): Language {
  const wished = String(headers["accept-language"] ?? "")
    .split(",")
    .map((part) => {
      const [code = "", quality] = part.split(";").map((text) => text.trim());
      return { code, quality: Number(quality?.replace("q=", "") ?? 1) };
    })
    .sort((a, b) => b.quality - a.quality);
  const codes = [query.lng ?? "", ...wished.map(({ code }) => code)];
  const supported = codes.map((code) => code.slice(0, 2).toLowerCase()).find((code) => code === "en" || code === "it");
  return supported === "it" ? "it" : "en";
}

/** Whether an `Accept-Encoding` header allows an encoding. */
export const accepts = (header: string, name: string) =>
  header.split(",").some((part) => {
    const [coding, quality] = part.split(";").map((text) => text.trim());
    return coding === name && !/^q=0(\.0*)?$/.test(quality ?? "");
  });

const ENCODINGS = {
  br: (page: Buffer) => brotliCompressSync(page),
  gzip: (page: Buffer) => gzipSync(page, { level: 9 }),
  identity: (page: Buffer) => page,
};

function variants(page: Buffer) {
  const packed = new Map<keyof typeof ENCODINGS, Buffer>();
  return {
    etag: `W/"${createHash("sha256").update(page).digest("base64url").slice(0, 22)}"`,
    /** The page in this encoding, compressed on first use. */
    encoded(encoding: keyof typeof ENCODINGS): Buffer {
      const compressed = packed.get(encoding) ?? ENCODINGS[encoding](page);
      packed.set(encoding, compressed);
      return compressed;
    },
  };
}

/**
 * The title and description of a page, and the same for messengers (Open Graph; the picture's address has to be a whole
 * one) and search engines (JSON-LD for posts). A page that may be indexed names its address in each language.
 */
function headOf(
  card: PageCard & { indexed: boolean },
  origin: string,
  path: string,
  language: Language,
  italian: boolean,
): string {
  const { title, description, picture, pixels = DRAWN, indexed, post, languages = ["en", "it"] } = card;
  const meta = (name: string, content: string) => `    <meta ${name} content="${escapeHtml(content)}">`;
  const link = (rel: string, href: string) => `    <link ${rel} href="${escapeHtml(origin + href)}">`;
  const image = `${origin}/${picture ?? "preview.jpg"}`;
  const canonical = path + (italian ? "?lng=it" : "");
  return [
    `    <title>${escapeHtml(title)}</title>`,
    meta('name="description"', description),
    meta('property="og:type"', post ? "article" : "website"),
    meta('property="og:site_name"', "Skies"),
    meta('property="og:locale"', (card.language ?? post?.language ?? language) === "it" ? "it_IT" : "en_GB"),
    meta('property="og:title"', title),
    meta('property="og:description"', description),
    meta('property="og:image"', image),
    meta('property="og:image:width"', String(pixels.width)),
    meta('property="og:image:height"', String(pixels.height)),
    meta('property="og:image:alt"', picture ? (card.pictureAlt ?? title) : "A quiet sky at dawn"),
    meta('name="twitter:card"', "summary_large_image"),
    ...(indexed
      ? [
          meta('property="og:url"', origin + canonical),
          link('rel="canonical"', canonical),
          ...languages.map((code) => link(`rel="alternate" hreflang="${code}"`, `${path}?lng=${code}`)),
          link('rel="alternate" hreflang="x-default"', path),
        ]
      : []),
    ...(/^\/blog(\/|$)/.test(path) && indexed
      ? [link('rel="alternate" type="application/atom+xml"', `/blog/feed.xml?lng=${italian ? "it" : "en"}`)]
      : []),
    ...(post
      ? [
          meta('property="article:published_time"', post.published_at.toISOString()),
          `    <script type="application/ld+json">${structured(post, origin + canonical, image)}</script>`,
        ]
      : []),
  ].join("\n");
}

/** The JSON-LD of a blog post. */
const structured = (post: Post, url: string, image: string) =>
  JSON.stringify({
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: post.title,
    description: post.summary,
    inLanguage: post.language,
    datePublished: post.published_at.toISOString(),
    dateModified: post.updated_at.toISOString(),
    author: { "@type": post.author === "Skies" ? "Organization" : "Person", name: post.author },
    publisher: { "@type": "Organization", name: "Skies" },
    mainEntityOfPage: url,
    image,
  }).replaceAll("<", "\\u003c");
