import { RequestError } from "../../shared/request-error.ts";
import { StopNotices, type StopNoticesReply } from "../../shared/stop-notices.ts";
import { endpoint, type FileEndpoint } from "./endpoint.ts";
import { isForm, oneClickToken, readBody } from "./request-body.ts";

/**
 * POST /functions/v1/stop-notices: ends emails about notices, by the one click of a mail program (RFC 8058) or by JSON
 * `{ token, stopped }` from the page, which can also undo it. The token authorises the change.
 */
export const stopNotices = endpoint({ caller: "unidentified" }, async ({ stoppingNotices, request }) => {
  const { token, stopped } = isForm(request)
    ? { token: await oneClickToken(request), stopped: true }
    : await readBody(request, StopNotices);
  const emails = stoppingNotices.read(token);
  if (!emails) throw new RequestError("bad_token");
  await stoppingNotices.set(emails, stopped);
  return { about: emails.memory === null ? "all" : "memory", stopped } satisfies StopNoticesReply;
});

/** GET of the same URL by a person: redirects to the page and changes nothing. */
export const stopNoticesPage: FileEndpoint = async ({ site, request }) => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const location = `${site}/notices/stop?token=${encodeURIComponent(token)}`;
  return new Response(null, { status: 303, headers: { location } });
};
