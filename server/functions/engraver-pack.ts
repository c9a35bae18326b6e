import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { newClaimSecret } from "../cards/claim-secret.ts";
import type { CardToMake } from "../cards/engravers-pack.ts";
import { asCaller } from "../database/as-caller.ts";
import { draw } from "../rendering/drawings.ts";
import { endpoint } from "./endpoint.ts";
import { sentFile } from "./sent-file.ts";

/** The maximum number of cards in a pack, or in progress at once. */
export const MOST_CARDS = 200;

const EngraverPack = z.union([
  z.object({ order: z.string().trim().min(1).max(64) }),
  z.object({ cards: z.array(z.string().trim().min(1).max(64)).min(1).max(MOST_CARDS) }),
]);

/**
 * POST /functions/v1/engraver-pack: the files for the cards of a paid order, by its number or id, or for a selection of
 * cards of any paid orders, by their ids or codes; for administrators and fulfilment. The cards then count as being
 * engraved: their texts are fixed, and the buyer gets an email. Each pack has new activation codes, which invalidate
 * those of an earlier one.
 */
export const engraverPack = endpoint(
  // Visitors are answered like people who may not see the cards.
  { caller: "anyone", body: EngraverPack },
  async ({ db, pins, site, caller, body }) => {
    const names = "order" in body ? [body.order] : body.cards;
    const cards = await asCaller(db, caller, async (tx) =>
      caller.role === "anon"
        ? []
        : (await tx.query<CardToMake>("select * from private.cards_to_engrave($1)", [names])).rows,
    );
    if (cards.length === 0) throw new RequestError("not_found", { message: "There is nothing to engrave here." });
    const homeless = cards.filter(({ address }) => address === null);
    if (homeless.length > 0) {
      throw new RequestError("no_address", { message: `${homeless.length} of the cards have no address to go to.` });
    }

    const secrets = new Map(
      cards.filter(({ state }) => state === "unclaimed").map(({ id }) => [id, newClaimSecret()] as const),
    );
    const pack = await draw("engraversPack", cards, secrets, { publicUrl: site, at: new Date() });
    // Hashed before the transaction, which holds a connection, because hashing is slow on purpose.
    const hashes = await Promise.all([...secrets].map(async ([id, secret]) => ({ id, hash: await pins.make(secret) })));

    await asCaller(db, caller, async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        "update metal_cards set making = 'engraved' where id = any ($1) and making = 'ordered' returning id",
        [cards.map(({ id }) => id)],
      );
      for (const { id, hash } of hashes) {
        await tx.query(
          "insert into card_secrets (card_id, hash) values ($1, $2) on conflict (card_id) do update set hash = $2",
          [id, hash],
        );
      }
      await tx.query("select private.enqueue_card_email($1, 'engraved', $2)", [
        rows.map(({ id }) => id),
        `${site}/cards`,
      ]);
    });
    return sentFile("application/zip", pack.name, pack.bytes);
  },
);
