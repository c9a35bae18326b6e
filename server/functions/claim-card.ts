import { ClaimCard } from "../../shared/card.ts";
import { RequestError } from "../../shared/request-error.ts";
import { lockedRefusal } from "../sharing/share-attempts.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/claim-card: gives an unclaimed card to the signed-in person, by the activation code of its pack.
 * The first person with the code gets the card. A wrong code and an unknown card get the same response in the same
 * time, and count like wrong PINs.
 */
export const claimCard = endpoint(
  { ownPagesOnly: true, caller: "account", body: ClaimCard },
  async ({ db, pins, activationAttempts, person, body: { code, secret }, address }) => {
    const attempt = await activationAttempts.begin(`claim ${code}`, address);
    const { triesLeft } = attempt;
    if (!attempt.allowed) throw lockedRefusal(attempt, "Too many wrong attempts. Please try again later.");
    const lockedUntil = attempt.lockedUntil?.toISOString() ?? null;
    const { rows } = await db.query<{ id: string; hash: string }>(
      `select c.id, s.hash from metal_cards c join card_secrets s on s.card_id = c.id
       where c.code = $1 and c.state = 'unclaimed' and c.making in ('engraved', 'sent')`,
      [code],
    );
    const [card] = rows;
    const isRight = await pins.matches(card?.hash, secret);
    // The row lock lets only one holder of the slip claim the card. The secret may have changed since it was read.
    const update = isRight
      ? await db.query<{ id: string }>(
          `update metal_cards c set user_id = $2, claimed_at = now() where c.id = $1 and c.state = 'unclaimed'
             and exists (select from card_secrets s where s.card_id = c.id and s.hash = $3) returning c.id`,
          [card?.id, person.id, card?.hash],
        )
      : undefined;
    const cardId = update?.rows[0]?.id;
    if (!cardId) {
      throw new RequestError("secret_wrong", { details: { triesLeft, lockedUntil } });
    }
    await attempt.refund();
    return { cardId };
  },
);
