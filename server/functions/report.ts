import { normalizeIP } from "@fastify/rate-limit";
import { escapeHtml } from "../../shared/escape-html.ts";
import { Report, type Reportable } from "../../shared/report.ts";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { languageOf } from "../emails/language.ts";
import { cleanEmail } from "../html/html.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import { linkOf } from "../sharing/share-token.ts";
import { endpoint } from "./endpoint.ts";

const HOUR = 3600;
/** Reports in an hour per network, which may be a whole school, and per person or link. */
const FROM_ADDRESS = 30;
const FROM_CALLER = 10;

/**
 * POST /functions/v1/report: stores a complaint about a memory or contribution and emails it to the people who run the
 * site. The content stays unchanged. Responds 202 with `{ id }`, or 404 for content that the caller cannot see.
 */
export const report = endpoint(
  { ownPagesOnly: true, caller: "anyone", body: Report },
  async ({ db, limits, settings, site, caller, body, request, address }) => {
    const { kind, id, reason, words: reportText, email } = body;
    const whose = caller.sub ?? linkOf(caller)?.id ?? normalizeIP(address);
    await limits.spend([
      { key: `reports from ${normalizeIP(address)}`, most: FROM_ADDRESS, seconds: HOUR },
      { key: `reports of ${whose}`, most: FROM_CALLER, seconds: HOUR },
    ]);
    const memory = await memoryOf(db, caller, { kind, id });
    if (!memory) throw new RequestError("not_there");

    const reportId = await db.transaction(async (tx) => {
      const guest = (caller.share as { guest?: string } | undefined)?.guest ?? null;
      const { rows } = await tx.query<{ id: string }>(
        `insert into reports (memory_id, kind, item_id, reason, words, email, user_id, guest_id, language, site)
         values ($1, $2, $3, $4, $5, $6, $7, (select g.id from guests g where g.id = $8), $9, $10) returning id`,
        [
          memory,
          kind,
          id,
          reason,
          reportText,
          email ?? null,
          caller.role === "authenticated" ? caller.sub : null,
          guest,
          languageOf(undefined, request.headers.get("accept-language") ?? undefined),
          site,
        ],
      );
      const lines = [
        `About: ${kind} ${id}`,
        `Reason: ${reason}`,
        `By: ${caller.role === "authenticated" ? `account ${caller.sub}` : guest ? `guest ${guest}` : "a visitor"}`,
        `Answer to: ${email ?? "nobody"}`,
        `Report: ${rows[0]?.id}`,
      ];
      const html =
        lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("") +
        `<blockquote>${escapeHtml(reportText).replaceAll("\n", "<br>")}</blockquote>` +
        `<p><a href="${site}/memory/${memory}">${site}/memory/${memory}</a></p>`;
      const props = {
        subject: `Skies: a ${kind} was reported`,
        html: cleanEmail(html, site),
        site,
        sort: "report" as const,
      };
      await enqueueMail(tx, { template: "note", language: "en", to: settings.MAIL_INFO, props });
      return rows[0]?.id;
    });
    return Response.json({ id: reportId }, { status: 202 });
  },
);

const MEMORY_OF: Record<Reportable["kind"], string> = {
  // Visitors of an upload-only link see nothing of the memory, but may report the request for photos.
  memory: `select $1::uuid as memory
    where private.can_view($1::uuid) or private.can_contribute($1::uuid)`,
  media: "select memory_id as memory from media where id = $1",
  story: "select memory_id as memory from stories where id = $1",
  comment: "select memory_id as memory from comments where id = $1",
};

/** The reported memory, if the caller can see it or add to it. */
async function memoryOf(db: Database, caller: Caller, { kind, id }: Reportable): Promise<string | undefined> {
  const { rows } = await asCaller(db, caller, (tx) => tx.query<{ memory: string }>(MEMORY_OF[kind], [id]));
  return rows[0]?.memory;
}
