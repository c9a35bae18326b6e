import { RequestError } from "../../shared/request-error.ts";
import { StopNotices, type StopNoticesReply } from "../../shared/stop-notices.ts";
import type { StoppingNotices } from "../unsubscribing/unsubscribing.ts";
import type { ServerFunction } from "./mount.ts";
import { isForm, oneClickToken, readBody } from "./request-body.ts";

/**
 * POST /functions/v1/stop-notices: ends emails about notices, by the one click of a mail program (RFC 8058) or by JSON
 * `{ token, stopped }` from the page, which can also undo it. The token authorises the change.
 */
export const stopNotices =
  (stopping: StoppingNotices): ServerFunction =>
  async (request) => {
    const { token, stopped } = isForm(request)
      ? { token: await oneClickToken(request), stopped: true }
      : await readBody(request, StopNotices);
    const emails = stopping.read(token);
    if (!emails) throw new RequestError("bad_token");
    await stopping.set(emails, stopped);
    const reply: StopNoticesReply = { about: emails.memory === null ? "all" : "memory", stopped };
    return Response.json(reply, { headers: { "cache-control": "no-store" } });
  };

/** GET of the same URL by a person: redirects to the page and changes nothing. */
export const stopNoticesPage =
  (publicUrl: string): ServerFunction =>
  async (request) => {
    const token = new URL(request.url).searchParams.get("token") ?? "";
    const location = `${publicUrl}/notices/stop?token=${encodeURIComponent(token)}`;
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  };
