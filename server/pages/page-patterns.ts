import { pagePatterns } from "../../shared/pages.ts";

/** Without the pattern of all other paths. */
const PATTERNS = pagePatterns.filter((path) => path.startsWith("/"));

/** The paths of pages and files without parameters. */
const NAMES = new Set([
  ...PATTERNS.filter((path) => !path.includes(":")),
  ..."/apple-touch-icon.png /blog/feed.xml /favicon.ico /favicon.svg /manifest.webmanifest /preview.jpg /robots.txt /sitemap.xml /sw.js".split(
    " ",
  ),
]);

const FILE = /^\/(assets|icons|pictures|previews)\/[\w.-]+$/;

const matchers = PATTERNS.filter((path) => path.includes(":")).map((pattern) => ({
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
