import { RequestError } from "../../shared/request-error.ts";
import { type UnsubscribeReply, UnsubscribeRequest } from "../../shared/unsubscribe.ts";
import type { Unsubscribing } from "../unsubscribing/unsubscribing.ts";
import type { ServerFunction } from "./mount.ts";
import { isForm, oneClickToken, readBody } from "./request-body.ts";

/**
 * POST /functions/v1/unsubscribe: the one click of a mail program (RFC 8058: a form `List-Unsubscribe=One-Click`, the
 * token in the URL), or JSON `{ token, unsubscribed }` from the page, which can also undo it. The token authorises the
 * change.
 */
export const unsubscribe =
  (wishes: Unsubscribing): ServerFunction =>
  async (request) => {
    const { token, unsubscribed } = await wishIn(request);
    const email = wishes.addressOf(token);
    if (!email) throw new RequestError("bad_token");
    await wishes.set(email, unsubscribed);
    return Response.json({ email, unsubscribed } satisfies UnsubscribeReply, {
      headers: { "cache-control": "no-store" },
    });
  };

async function wishIn(request: Request): Promise<{ token: string; unsubscribed: boolean }> {
  if (!isForm(request)) return readBody(request, UnsubscribeRequest);
  return { token: await oneClickToken(request), unsubscribed: true };
}

/** GET of the same URL: redirects to the page and changes nothing, because mail scanners open every link. */
export const unsubscribePage =
  (publicUrl: string): ServerFunction =>
  async (request) => {
    const token = new URL(request.url).searchParams.get("token") ?? "";
    const location = `${publicUrl}/unsubscribe?token=${encodeURIComponent(token)}`;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  };
