import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { calendarFile } from "../calendar/calendar-file.ts";
import { attachment } from "../supabase/storage/send.ts";
import { endpoint, type FileEndpoint } from "./endpoint.ts";

const CalendarLink = z.object({ memoryId: z.uuid(), language: z.enum(["en", "it"]).catch("en") });

/** POST /functions/v1/calendar-link: the address of the calendar of a memory's day, with the caller's rights. */
export const calendarLink = endpoint(
  { caller: "anyone", body: CalendarLink },
  async ({ calendars, caller, body: { memoryId, language }, request }) => {
    const token = await calendars.tokenFor(caller, memoryId, language);
    if (token === undefined) throw new RequestError("not_found");
    // Relative to the request's URL, so that it works under every host name of the server.
    return { url: new URL(`calendar?token=${token}`, request.url).href };
  },
);

/**
 * GET /functions/v1/calendar?token=…: the parts of a day as an iCalendar file, for subscriptions; with `part` one of them, to save. A
 * HEAD has no body.
 */
export const calendar: FileEndpoint = async ({ calendars, site, request }) => {
  const { searchParams } = new URL(request.url);
  const facts = await calendars.read(searchParams.get("token") ?? "", site);
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
