import { RequestError } from "../../shared/request-error.ts";
import { type UnsubscribeReply, UnsubscribeRequest } from "../../shared/unsubscribe.ts";
import { endpoint, type FileEndpoint } from "./endpoint.ts";
import { isForm, oneClickToken, readBody } from "./request-body.ts";

/**
 * POST /functions/v1/unsubscribe: the one click of a mail program (RFC 8058: a form `List-Unsubscribe=One-Click`, the
 * token in the URL), or JSON `{ token, unsubscribed }` from the page, which can also undo it. The token authorises the
 * change.
 */
export const unsubscribe = endpoint({ caller: "unidentified" }, async ({ unsubscribing, request }) => {
  const { token, unsubscribed } = isForm(request)
    ? { token: await oneClickToken(request), unsubscribed: true }
    : await readBody(request, UnsubscribeRequest);
  const email = unsubscribing.addressOf(token);
  if (!email) throw new RequestError("bad_token");
  await unsubscribing.set(email, unsubscribed);
  return { email, unsubscribed } satisfies UnsubscribeReply;
});

/** GET of the same URL: redirects to the page and changes nothing, because mail scanners open every link. */
export const unsubscribePage: FileEndpoint = async ({ site, request }) => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const location = `${site}/unsubscribe?token=${encodeURIComponent(token)}`;
  return new Response(null, { status: 303, headers: { location } });
};
