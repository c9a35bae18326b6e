import { createHash } from "node:crypto";
import { RequestError } from "../../shared/request-error.ts";
import { DeclineInvitation } from "../../shared/share.ts";
import type { Database } from "../database/database.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const DECLINE = "select private.decline_emailed_invitation($1, $2, $3) as done";

/**
 * POST /functions/v1/decline-invitation: declines an invitation by the token of its email, without an account, or with
 * `undo` takes that back within a day.
 */
export const declineInvitation =
  ({ db }: { db: Database }): ServerFunction =>
  async (request) => {
    const { shareId, invitation, undo } = await readBody(request, DeclineInvitation);
    const hash = createHash("sha256").update(invitation).digest("hex");
    const { rows } = await db.query<{ done: boolean }>(DECLINE, [shareId, hash, undo]);
    if (!rows[0]?.done) throw new RequestError("invitation_unknown");
    return Response.json({ success: true }, { headers: { "cache-control": "no-store" } });
  };
