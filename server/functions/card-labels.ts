import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import type { Parcel } from "../cards/address-labels.ts";
import { asCaller } from "../database/as-caller.ts";
import { draw } from "../rendering/drawings.ts";
import { endpoint } from "./endpoint.ts";
import { MOST_CARDS } from "./engraver-pack.ts";
import { sentFile } from "./sent-file.ts";

const CardLabels = z.object({
  /** Ids or codes of cards, ids or numbers of orders. */
  cards: z.array(z.string().trim().min(1).max(64)).min(1).max(MOST_CARDS),
  /** Labels of the first sheet that are already used. */
  used: z.number().int().min(0).max(23).default(0),
});

/**
 * POST /functions/v1/card-labels: address labels for the parcels with these cards, one for each order and address, as a
 * PDF file for A4 sheets. For callers who may see the delivery addresses.
 */
export const cardLabels = endpoint(
  { caller: "staff", body: CardLabels },
  async ({ db, caller, body: { cards, used } }) => {
    const { rows } = await asCaller(db, caller, (tx) =>
      tx.query<Parcel>(
        `select d.address, o.number as order_number, count(*)::integer as cards
         from metal_cards c join orders o on o.id = c.order_id join card_deliveries d on d.card_id = c.id
         where d.address is not null and c.making in ('ordered', 'engraved', 'sent', 'returned')
           and (c.id::text = any ($1) or c.code = any ($1) or o.id::text = any ($1) or o.number = any ($1))
         group by o.number, d.address order by o.number`,
        [cards],
      ),
    );
    if (rows.length === 0) throw new RequestError("not_found", { message: "None of these cards has an address." });
    return sentFile("application/pdf", "skies-labels.pdf", await draw("addressLabels", rows, used));
  },
);
