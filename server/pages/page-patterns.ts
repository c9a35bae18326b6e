import { cardCode, isCardCode } from "../../shared/card.ts";
import { pagePatterns } from "../../shared/pages.ts";
import { isShareId } from "../../shared/typed-text.ts";

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

/** A path without slashes at its end; that of the start page has one. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Pages of a pattern that name no row: the memory opened last, and the page that the service worker shows without a network. */
const WITHOUT_ID = new Set(["/memory/last", "/memory/offline"]);

const isRowId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The forms of the parameters in patterns. A parameter that is not listed accepts any text. */
const FORMS: Record<string, (text: string) => boolean> = {
  ":shareId": isShareId,
  ":wallId": isShareId,
  ":id": isRowId,
  ":orderId": isRowId,
  ":memoryId": isRowId,
  ":code": (text) => isCardCode(cardCode(text)),
};

/**
 * Whether something could be at a path, by its pattern. Whether it is there is told only to those who may see it, so their
 * pages have the same status for all.
 */
export function hasPossibleIds(pattern: string, path: string): boolean {
  // A post has a slug, and what the desk lists ids of several forms.
  if (/^\/(blog|admin)\//.test(pattern) || WITHOUT_ID.has(path.replace(/\/$/, ""))) return true;
  const parts = path.split("/");
  return pattern.split("/").every((name, at) => FORMS[name]?.(parts[at] ?? "") ?? true);
}
