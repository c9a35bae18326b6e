import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import { endpoint } from "./endpoint.ts";
import { MOST_CARDS } from "./engraver-pack.ts";

const Name = z.string().trim().min(1).max(64);
const CardStatus = z.object({
  /** Numbers or ids of orders, codes or ids of cards. */
  of: z.union([Name.transform((one) => [one]), z.array(Name).min(1).max(MOST_CARDS)]),
  making: z.enum(["ordered", "engraved", "sent", "returned"]).default("sent"),
  /** Whether later states may go back; otherwise scanning a card again changes nothing. */
  back: z.boolean().default(false),
  carrier: z.string().trim().max(60).default(""),
  number: z.string().trim().max(60).default(""),
  url: z.union([z.literal(""), z.url({ protocol: /^https$/ }).max(500)]).default(""),
});

/** The states that may precede each state. */
const FORWARD: Record<z.infer<typeof CardStatus>["making"], string[]> = {
  ordered: [],
  engraved: ["ordered"],
  sent: ["engraved", "returned"],
  returned: ["sent"],
};
/** The states from which a correction goes back. */
const BACK: typeof FORWARD = { ordered: ["engraved"], engraved: ["sent"], sent: [], returned: [] };

/**
 * POST /functions/v1/card-status: sets the production state of an order's cards or of single cards; for administrators
 * and fulfilment. The buyer gets one email when they are engraved, and one with carrier and tracking number when they
 * are sent.
 */
export const cardStatus = endpoint(
  { caller: "staff", body: CardStatus },
  async ({ db, site, caller, body: { of, making, back, carrier, number, url } }) => {
    // A correction sends no email.
    const moved = await asCaller(db, caller, async (tx) => {
      // Cards of unpaid orders are not engraved. Cards that are engraved already can still be sent or returned.
      const { rows } = await tx.query<{ id: string; making: string }>(
        `select c.id, c.making from metal_cards c join orders o on o.id = c.order_id
         where c.making = any ($2) and (c.making <> 'ordered' or o.status = 'paid')
           and (c.id::text = any ($1) or c.code = any ($1) or o.id::text = any ($1) or o.number = any ($1))
         for update of c`,
        [of, [...FORWARD[making], ...(back ? BACK[making] : [])]],
      );
      const ids = rows.map(({ id }) => id);
      // Without new tracking data the stored data stay, e.g. if the card's return was reported by mistake.
      if (making === "sent" && (carrier || number || url)) {
        await tx.query(
          `update card_deliveries set carrier = $2, tracking_number = $3, tracking_url = $4 where card_id = any ($1)`,
          [ids, carrier, number, url],
        );
      }
      const changed = await tx.query<{ id: string }>(
        "update metal_cards set making = $2 where id = any ($1) returning id",
        [ids, making],
      );
      const forward = rows.filter((card) => FORWARD[making].includes(card.making));
      if (making === "engraved" || making === "sent") {
        await tx.query("select private.enqueue_card_email($1, $2, $3)", [
          forward.map(({ id }) => id),
          making,
          `${site}/cards`,
        ]);
      }
      return changed.rows.length;
    });
    if (moved === 0) throw new RequestError("not_found", { message: NOTHING[making] });
    return { moved };
  },
);

const NOTHING = {
  ordered: "There is no engraved card to take back.",
  engraved: "There is no card to mark as engraved.",
  sent: "There is no engraved card to dispatch.",
  returned: "There is no card on its way that could have come back.",
};
