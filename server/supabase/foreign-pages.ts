import type { FastifyRequest } from "fastify";
import { RequestError } from "../../shared/request-error.ts";
import type { RedirectSettings } from "./auth/redirects.ts";

type BrowserHeaders = Pick<FastifyRequest, "headers" | "host">;

/** Whether a page of another site made a browser send this request. */
export type IsForeign = (request: BrowserHeaders) => boolean;

/** Types of a form's body, which a browser sends to other sites without asking them. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Recognises requests that pages of other sites cause, by `Sec-Fetch-Site`, or `Origin` and `Referer` in browsers
 * without it. Such a page could otherwise use up the attempts of its visitor's network. Pages on the site's own origin
 * and on those of its redirects are its own. Programs send none of these headers and are not foreign.
 */
export function foreignPages({ siteUrl, redirectUrls }: Pick<RedirectSettings, "siteUrl" | "redirectUrls">): IsForeign {
  const own = new Set([siteUrl, ...redirectUrls].flatMap((url) => originOf(url) ?? []));
  return ({ headers, host }) => {
    const site = headers["sec-fetch-site"];
    // `none`: the person's own act, e.g. a typed URL.
    if (site === "same-origin" || site === "none") return false;
    const sender = headers.origin ?? headers.referer;
    if (sender !== undefined) {
      // An opaque origin is `null`. The scheme is not compared, because a proxy may end TLS.
      const origin = originOf(sender);
      return origin === undefined || !(own.has(origin) || new URL(origin).host === host);
    }
    if (site !== undefined) return true;
    // Old browsers omit all of these headers for some forms of other sites. The app never sends a form's body.
    return /^Mozilla\//.test(headers["user-agent"] ?? "") && FORM.test(headers["content-type"] ?? "");
  };
}

/** The refusal of a request that counts attempts and comes from another site's page. */
export const foreignRefusal = () => new RequestError("foreign_page");

/**
 * Whether another site's page made a browser load something that its reader does not see: a part of the page, such as a
 * picture or frame, or a page that is loaded ahead of a visit.
 */
export function isHiddenLoad({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== "cross-site" && site !== "same-site") return false;
  const isAhead = /prefetch|prerender/.test(`${headers["sec-purpose"]} ${headers.purpose}`);
  return isAhead || headers["sec-fetch-dest"] !== "document";
}

function originOf(url: string): string | undefined {
  const { origin } = URL.canParse(url) ? new URL(url) : { origin: "null" };
  return origin === "null" ? undefined : origin;
}
