import { parseUrl } from "../browser/parse-url.ts";
import { tabStorage } from "../browser/storage.ts";

const KEY = "redirect_url";

/** Stores the path to return to after signing in (Spec §3). */
export function rememberRedirect(path: string) {
  tabStorage.setItem(KEY, path);
}

/** The current path with query and fragment, for {@link rememberRedirect}. A fragment names a comment or story. */
export const pathOf = ({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">) =>
  pathname + search + hash;

/** Returns the stored path once; undefined without a path of this site. */
export function takeRedirect(): string | undefined {
  const stored = tabStorage.getItem(KEY);
  tabStorage.removeItem(KEY);
  return stored === null ? undefined : ownPath(stored, location.origin);
}

/** The path, query and fragment of a URL of this site; undefined for other sites. */
export function ownPath(address: string, origin: string): string | undefined {
  const url = parseUrl(address, origin);
  // Browsers read "/\\evil.example" and "/\t/evil.example" as other sites, and the path "//evil" would become one.
  if (url?.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
