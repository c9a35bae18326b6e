import { RequestError } from "../../../shared/request-error.ts";

export interface RedirectSettings {
  /** The web app's URL, which is the default redirect. */
  siteUrl: string;
  /** Further allowed redirect prefixes, e.g. `https://app.example/` or `app.example:/`. */
  redirectUrls: string[];
  /** Whether any port of this machine is allowed, as in development. */
  loopback: boolean;
}

/** Returns the redirect URL, by default the site's. Refuses others, so that links never lead to foreign sites. */
export function redirectTo(settings: RedirectSettings, requested: unknown): string {
  if (requested === undefined || requested === null || requested === "") return settings.siteUrl;
  const url = typeof requested === "string" && requested.length <= 2048 ? parse(requested) : undefined;
  if (!url || !isAllowed(settings, url))
    throw new RequestError("validation_failed", { message: "redirect_to is not allowed" });
  return url.href;
}

function isAllowed({ siteUrl, redirectUrls, loopback }: RedirectSettings, url: URL): boolean {
  // A user name in a URL makes `https://app.example@elsewhere.example` look like the site's own.
  if (url.username || url.password) return false;
  if (loopback && url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) return true;
  if (url.origin !== "null" && url.origin === parse(siteUrl)?.origin) return true;
  return redirectUrls.some((allowed) => isBelow(url, parse(allowed)));
}

/** Whether a URL equals `top` or is below it. URLs of apps (`app.example:/`) have no origin to compare. */
const isBelow = (url: URL, top: URL | undefined) =>
  top !== undefined &&
  url.protocol === top.protocol &&
  url.host === top.host &&
  (url.pathname === top.pathname || url.pathname.startsWith(top.pathname.replace(/\/*$/, "/")));

const parse = (url: string) => (URL.canParse(url) ? new URL(url) : undefined);

/** Adds values to a URL's fragment, which is sent to no server. */
export function withFragment(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(values).toString();
  return url.href;
}

/** Adds values to the fragment of a path on the request's own host. */
export const withHash = (path: string, values: Record<string, string>): string =>
  `${path}#${new URLSearchParams(values)}`;

/** Adds values to a URL's query. */
export function withParameters(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}
