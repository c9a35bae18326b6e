import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { calendarFile } from "../calendar/calendar-file.ts";
import type { CalendarSubscriptions } from "../calendar/subscriptions.ts";
import type { Identify } from "../supabase/callers.ts";
import { attachment } from "../supabase/storage/send.ts";
import type { FileFunction, ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const CalendarLink = z.object({ memoryId: z.uuid(), language: z.enum(["en", "it"]).catch("en") });

/** POST /functions/v1/calendar-link: the address of the calendar of a memory's day, with the caller's rights. */
export const calendarLink =
  ({ identify, subscriptions }: { identify: Identify; subscriptions: CalendarSubscriptions }): ServerFunction =>
  async (request) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    const { memoryId, language } = await readBody(request, CalendarLink);
    const token = await subscriptions.tokenFor(caller, memoryId, language);
    if (token === undefined) throw new RequestError("not_found");
    // Relative to the request's URL, so that it works under every host name of the server.
    const url = new URL(`calendar?token=${token}`, request.url).href;
    return Response.json({ url }, { headers: { "cache-control": "no-store" } });
  };

/**
 * GET /functions/v1/calendar?token=…: the parts of a day as an iCalendar file, for subscriptions; with `part` one of them, to save. A
 * HEAD has no body.
 */
export const calendar =
  ({ subscriptions, site }: { subscriptions: CalendarSubscriptions; site: string }): FileFunction =>
  async (request) => {
    const { searchParams } = new URL(request.url);
    const facts = await subscriptions.read(searchParams.get("token") ?? "", site);
    if (!facts) throw new RequestError("revoked", { message: "This calendar is no longer shared." });
    const id = searchParams.get("part");
    const parts = id === null ? facts.parts : facts.parts.filter((part) => part.id === id);
    const [part] = parts;
    if (id !== null && !part) throw new RequestError("not_found");
    const headers = {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": attachment(`${id === null ? facts.name : part?.title}.ics`),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    };
    return new Response(request.method === "HEAD" ? null : calendarFile({ ...facts, parts }), { headers });
  };
