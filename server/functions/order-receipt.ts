import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { TimeZone } from "../../shared/time-zone.ts";
import { asCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { ReceiptFacts } from "../orders/receipt-pdf.ts";
import { draw } from "../rendering/drawings.ts";
import type { Identify } from "../supabase/callers.ts";
import { attachment } from "../supabase/storage/send.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const Wanted = z.object({
  order: z.uuid(),
  language: z.enum(["en", "it"]).catch("en"),
  /** The reader's time zone, an IANA name. */
  timeZone: TimeZone.catch("UTC"),
});

/** POST /functions/v1/order-receipt: the receipt of a paid order as a PDF file, for anyone who may see the order. */
export const orderReceipt =
  ({ db, identify }: { db: Database; identify: Identify }): ServerFunction =>
  async (request) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    const { order, language, timeZone } = await readBody(request, Wanted);
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
    return new Response(new Uint8Array(pdf), {
      headers: {
        "content-type": "application/pdf",
        "content-disposition": attachment(`Skies ${facts.number}.pdf`),
        "cache-control": "no-store",
      },
    });
  };
