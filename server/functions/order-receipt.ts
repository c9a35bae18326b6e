import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { TimeZone } from "../../shared/time-zone.ts";
import { asCaller } from "../database/as-caller.ts";
import type { ReceiptFacts } from "../orders/receipt-pdf.ts";
import { draw } from "../rendering/drawings.ts";
import { endpoint } from "./endpoint.ts";
import { sentFile } from "./sent-file.ts";

const OrderReceipt = z.object({
  order: z.uuid(),
  language: z.enum(["en", "it"]).catch("en"),
  /** The reader's time zone, an IANA name. */
  timeZone: TimeZone.catch("UTC"),
});

/** POST /functions/v1/order-receipt: the receipt of a paid order as a PDF file, for anyone who may see the order. */
export const orderReceipt = endpoint(
  { caller: "anyone", body: OrderReceipt },
  async ({ db, caller, body: { order, language, timeZone } }) => {
    if (caller.role === "anon") throw new RequestError("not_signed_in");
    const { rows } = await asCaller(db, caller, (tx) =>
      tx.query<ReceiptFacts>(
        `select o.number, o.email, o.delivery, o.paid_at, o.currency, o.subtotal, o.discount, o.total, o.tax, o.refunded,
           o.voucher_code,
           (select coalesce(jsonb_agg(jsonb_build_object('kind', i.kind, 'quantity', i.quantity, 'unit_amount', i.unit_amount,
              'terms', i.terms) order by i.position), '[]') from order_items i where i.order_id = o.id) as lines
         from orders o where o.id = $1 and o.paid_at is not null`,
        [order],
      ),
    );
    const [facts] = rows;
    if (!facts) throw new RequestError("not_found", { message: "There is no receipt for this order." });
    const pdf = await draw("receiptPdf", facts, language, timeZone);
    return sentFile("application/pdf", `Skies ${facts.number}.pdf`, pdf);
  },
);
