import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Pages that may be found by a search. All others are somebody's own, or lead to what is. */
const PUBLIC = [
  /^\/(home|pricing|about|get-started|shop|privacy|terms|contact-us|affiliates)?$/,
  /^\/blog(\/|$)/,
  /^\/(assets\/|favicon\.svg$|preview\.jpg$|robots\.txt$)/,
];

/** Whether search engines may keep what is at this path. */
export const isPublicPage = (path: string): boolean => PUBLIC.some((pattern) => pattern.test(path));

/** What a messenger shows of a link: of every shared memory the same, so that it tells of none, nor whether there is one. */
const PREVIEWS = {
  home: {
    title: "Skies · Your Private Memory Portal",
    description: "Keep the photos, videos and stories of the people and days you love, and share them privately.",
  },
  shared: {
    title: "Someone shared a memory with you",
    description: "Open the link to see it on Skies. · Apri il link per vederlo su Skies.",
  },
};

/** The page of the web app in `folder`, sent for every path of its own; `origin` is where it is reached. */
export function openPage(folder: string, origin: string) {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const home = variants(html, PREVIEWS.home, origin);
  const shared = variants(html, PREVIEWS.shared, origin);

  return (request: FastifyRequest, reply: FastifyReply) => {
    const { etag, encoded } = /^\/(shared|c)(\/|$)/i.test(pathOf(request.url)) ? shared : home;
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

function variants(html: string, preview: { title: string; description: string }, origin: string) {
  const page = Buffer.from(html.replace("</head>", `${cardOf(preview, origin)}\n  </head>`));
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

/** Open Graph, which messengers read; the picture's address has to be a whole one. */
function cardOf({ title, description }: { title: string; description: string }, origin: string): string {
  const facts = {
    "og:type": "website",
    "og:site_name": "Skies",
    "og:title": title,
    "og:description": description,
    "og:image": `${origin}/preview.jpg`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "A quiet sky at dawn",
  };
  return Object.entries(facts)
    .map(([property, content]) => `    <meta property="${property}" content="${escaped(content)}">`)
    .concat(`    <meta name="twitter:card" content="summary_large_image">`)
    .join("\n");
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
