import { ReleaseCard } from "../../shared/card.ts";
import { RequestError } from "../../shared/request-error.ts";
import { groupedSecret, newClaimSecret } from "../cards/claim-secret.ts";
import { asCaller } from "../database/as-caller.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/release-card: prepares the caller's card for another person. Its link is closed, and the response
 * contains, only once, the activation code with which the next person claims the card.
 */
export const releaseCard = endpoint(
  { caller: "person", body: ReleaseCard },
  async ({ db, pins, caller, body: { cardId } }) => {
    const secret = newClaimSecret();
    const hash = await pins.make(secret);
    await asCaller(db, caller, async (tx) => {
      const { rows } = await tx.query(
        `update metal_cards set claimed_at = null, memory_id = null, blocked = null
         where id = $1 and user_id = $2 and making in ('engraved', 'sent') returning id`,
        [cardId, caller.sub],
      );
      if (rows.length === 0) throw new RequestError("not_found", { message: "Card not found." });
      await tx.query(
        "insert into card_secrets (card_id, hash) values ($1, $2) on conflict (card_id) do update set hash = $2",
        [cardId, hash],
      );
    });
    return { secret: groupedSecret(secret) };
  },
);
