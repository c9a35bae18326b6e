import { RequestError } from "../../../shared/request-error.ts";

export interface RedirectSettings {
  /** The web app's address, and where people are led unless they ask for another. */
  siteUrl: string;
  /** Further addresses below which people may be led, as `https://app.example/` or `app.example:/`. */
  redirectUrls: string[];
  /** Whether any port of this very machine will do, as while developing. */
  loopback: boolean;
}

/** The redirect address. One that is not allowed is refused: our links never lead to foreign sites. */
export function redirectTo(settings: RedirectSettings, asked: unknown): string {
  if (asked === undefined || asked === null || asked === "") return settings.siteUrl;
  const url = typeof asked === "string" && asked.length <= 2048 ? parse(asked) : undefined;
  if (!url || !isAllowed(settings, url))
    throw new RequestError("validation_failed", { message: "redirect_to is not allowed" });
  return url.href;
}

function isAllowed({ siteUrl, redirectUrls, loopback }: RedirectSettings, url: URL): boolean {
  // A name in an address is how "https://app.example@elsewhere.example" looks like ours.
  if (url.username || url.password) return false;
  if (loopback && url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) return true;
  if (url.origin !== "null" && url.origin === parse(siteUrl)?.origin) return true;
  return redirectUrls.some((allowed) => isBelow(url, parse(allowed)));
}

/** Whether an address is another one or below it. Addresses of apps (`app.example:/`) have no origin to compare. */
const isBelow = (url: URL, top: URL | undefined) =>
  top !== undefined &&
  url.protocol === top.protocol &&
  url.host === top.host &&
  (url.pathname === top.pathname || url.pathname.startsWith(top.pathname.replace(/\/*$/, "/")));

const parse = (url: string) => (URL.canParse(url) ? new URL(url) : undefined);

/** An address with values in its fragment, where no server along the way sees them. */
export function withFragment(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(values).toString();
  return url.href;
}

/** An address with values among its parameters. */
export function withParameters(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}
