/** The path patterns of pages with parameters. */
const PATTERNS = [
  "/admin/blog/:slug",
  "/admin/inbox/:id",
  "/admin/orders/:id",
  "/admin/people/:id",
  "/blog/:id",
  "/c/:code",
  "/cards/:id",
  "/groups/:id",
  "/memory/new",
  "/memory/:id",
  "/memory/:id/print",
  "/memory/:id/service",
  "/memory/:id/slideshows",
  "/memory/:id/waiting",
  "/orders/:orderId",
  "/shared/:shareId",
  "/shared/:shareId/:memoryId",
  "/wall/:wallId",
];

/** The paths of pages and files without parameters. */
const NAMES = new Set(
  `/ /about /admin /admin/affiliates /admin/audit /admin/blog /admin/cards /admin/catalogue /admin/inbox /admin/orders /admin/people /admin/system /affiliates /auth/callback /auth/link /blog /cards /cart /checkout /contact-us /dashboard /forgotten-password /get-started /groups /help /home /login /new-password
   /notices /notices/stop /orders /pricing /privacy /profile /register /search /shop /subscribe /success /terms /unsubscribe
   /apple-touch-icon.png /blog/feed.xml /favicon.ico /favicon.svg /manifest.webmanifest /preview.jpg /robots.txt /sitemap.xml /sw.js`.split(
    /\s+/,
  ),
);

const FILE = /^\/(assets|icons|pictures|previews)\/[\w.-]+$/;

const matchers = PATTERNS.map((pattern) => ({
  pattern,
  matches: new RegExp(`^${pattern.replace(/:[A-Za-z]+/g, "[^/]+")}/?$`),
}));

/**
 * The pattern of a URL's page, e.g. `/shared/:shareId`; `/*` for unknown paths, because they may contain private data.
 */
export function pagePattern(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  if (NAMES.has(path)) return path;
  const folder = FILE.exec(path)?.[1];
  if (folder) return `/${folder}/*`;
  return matchers.find(({ matches }) => matches.test(path))?.pattern ?? "/*";
}
