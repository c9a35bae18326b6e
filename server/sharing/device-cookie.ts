/** Prefix of the cookies' names; a share id follows. */
const PREFIX = "skies-device-";
const SHARE_ID = /^[\w-]{1,64}$/;
const KEY = /^[\w-]{43}$/;

/** The longest time that browsers keep a cookie: 400 days, in seconds. */
const LONGEST_SECONDS = 400 * 86_400;

/** Where a link's cookie is sent: to functions, and to the link's page. Other links and files do not receive it. */
const pathsOf = (shareId: string) => [`/functions/v1`, `/shared/${shareId}`];

/** The keys of devices in a `Cookie` header, by share id. */
export function deviceKeys(header: string | null | undefined): Map<string, string> {
  const keys = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const [name = "", value = ""] = pair.trim().split("=");
    const shareId = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
    if (SHARE_ID.test(shareId) && KEY.test(value)) keys.set(shareId, value);
  }
  return keys;
}

/** Adds the cookies that keep a device's key for a link of the site at this URL. Scripts cannot read them, and other sites cannot send them. */
export function keepDeviceKey(headers: Headers, site: string, shareId: string, key: string) {
  if (SHARE_ID.test(shareId)) setCookies(headers, site, shareId, `${key}; Max-Age=${LONGEST_SECONDS}`);
}

/** The most links that a browser keeps keys of: all of their cookies are sent to functions, and headers may have 16 KB. */
const MOST_LINKS = 100;

/** Adds the headers that delete the cookies of the links that were entered first, if there would be too many. */
export function dropOldKeys(headers: Headers, site: string, stored: ReadonlyMap<string, string>) {
  // Browsers send cookies of one path in the order in which they were created.
  const excess = Math.max(0, stored.size - MOST_LINKS + 1);
  for (const shareId of [...stored.keys()].slice(0, excess)) dropDeviceKey(headers, site, shareId);
}

/** Adds the headers that delete a link's cookies. */
export function dropDeviceKey(headers: Headers, site: string, shareId: string) {
  if (SHARE_ID.test(shareId)) setCookies(headers, site, shareId, "; Max-Age=0");
}

/** Whether browsers reach the site by HTTPS only. */
const isSecure = (url: string) => new URL(url).protocol === "https:";

function setCookies(headers: Headers, site: string, shareId: string, value: string) {
  const secure = isSecure(site) ? "; Secure" : "";
  for (const path of pathsOf(shareId)) {
    // `Lax`, because a link in a message opens its page from another site.
    headers.append("set-cookie", `${PREFIX}${shareId}=${value}; Path=${path}; HttpOnly; SameSite=Lax${secure}`);
  }
}
