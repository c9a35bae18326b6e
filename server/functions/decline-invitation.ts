import { createHash } from "node:crypto";
import { RequestError } from "../../shared/request-error.ts";
import { DeclineInvitation } from "../../shared/share.ts";
import { endpoint } from "./endpoint.ts";

const DECLINE = "select private.decline_emailed_invitation($1, $2, $3) as done";

/**
 * POST /functions/v1/decline-invitation: declines an invitation by the token of its email, without an account, or with
 * `undo` takes that back within a day.
 */
export const declineInvitation = endpoint(
  { ownPagesOnly: true, caller: "unidentified", body: DeclineInvitation },
  async ({ db, body: { shareId, invitation, undo } }) => {
    const hash = createHash("sha256").update(invitation).digest("hex");
    const { rows } = await db.query<{ done: boolean }>(DECLINE, [shareId, hash, undo]);
    if (!rows[0]?.done) throw new RequestError("invitation_unknown");
    return { success: true };
  },
);
