import { OpenCard } from "../../shared/card.ts";
import { RequestError } from "../../shared/request-error.ts";
import { findCard, whereTo } from "../cards/scanned-card.ts";
import { lockedRefusal } from "../sharing/share-attempts.ts";
import { tokenSubject } from "../sharing/share-token.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/open-card: resolves an engraved code to the share gate of its memory, to claiming an unclaimed
 * card, or to the holder's next step. All other codes get the same response and count like wrong PINs, so that codes
 * cannot be guessed.
 */
export const openCard = endpoint(
  { ownPagesOnly: true, caller: "optional", body: OpenCard },
  async ({ db, cardAttempts, caller, body: { code }, address }) => {
    const holder = await tokenSubject(db, caller);
    const attempt = await cardAttempts.begin(`card ${code}`, address);
    if (!attempt.allowed) throw lockedRefusal(attempt, "Too many attempts. Please try again later.");
    const leadsTo = whereTo(await findCard(db, code), holder.sub);
    if (!leadsTo) throw new RequestError("card_unknown");
    await attempt.refund();
    return leadsTo;
  },
);
