// Requests after the share gate, in a file of their own, because the share gate's code is small (decision 57).
import type { InvitationAgain } from "../../../shared/share.ts";
import { browserStorage } from "../../lib/browser/storage.ts";
import { callFunction } from "../../lib/request/call-function.ts";
import { guestKeyOf, invitationKeyOf } from "./share-keys.ts";
import { forgetSession, invitationToken } from "./share-session.ts";

/**
 * Ends that this device opens a link without its secret, and removes what identifies its visitor. `token` is the link's.
 * Throws FunctionRefusal.
 */
export async function forgetDevice(shareId: string, token: string) {
  await callFunction("forget-device", { shareId }, { bearer: token });
  browserStorage.removeItem(guestKeyOf(shareId));
  browserStorage.removeItem(invitationKeyOf(shareId));
  forgetSession(shareId);
}

/** Requests another email of an invitation whose link arrived incomplete. Throws FunctionRefusal. */
export const requestInvitationAgain = (request: InvitationAgain) => callFunction("invitation-again", request);

/** Declines the invitation whose email opened the link, or takes that back. Throws FunctionRefusal. */
export const declineInvitation = (shareId: string, { undo }: { undo: boolean }) =>
  callFunction("decline-invitation", { shareId, invitation: invitationToken(shareId), undo });
