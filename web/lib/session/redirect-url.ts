import { tabStorage } from "../browser/storage.ts";

const KEY = "redirect_url";

/** Remembers where to go on to after signing in (Spec §3): a path of this app. */
export function rememberRedirect(path: string) {
  tabStorage.setItem(KEY, path);
}

/** The stored path, once; undefined if there is none or it leads off this site. */
export function takeRedirect(): string | undefined {
  const stored = tabStorage.getItem(KEY);
  tabStorage.removeItem(KEY);
  return stored === null ? undefined : ownPath(stored, location.origin);
}

/** The path, query and fragment of an address of this site; undefined for any other. */
export function ownPath(address: string, origin: string): string | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  // "/\\evil.example" and "/\t/evil.example" are other sites as a browser reads them; a path "//evil" would be one next.
  if (url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
