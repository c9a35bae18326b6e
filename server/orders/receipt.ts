import { isMailable } from "../../shared/credentials.ts";
import type { Transaction } from "../database/database.ts";
import type { EmailProps } from "../emails/email-props.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import { lineName } from "./line-name.ts";

type Receipt = EmailProps["receipt"];

interface Row extends Omit<Receipt, "ordersUrl" | "lines"> {
  email: string;
  language: "en" | "it";
  lines: (Receipt["lines"][number] & { id: string | null })[];
}

/** Owes the buyer of an order their receipt, once however often it is said. */
export async function enqueueReceipt(tx: Transaction, orderId: string, site: string): Promise<void> {
  const { rows } = await tx.query<Row>(
    `select o.email, o.language, o.number, o.paid_at as "paidAt", o.currency, o.subtotal, o.discount, o.tax, o.total,
       o.voucher_code as voucher,
       (select jsonb_agg(jsonb_build_object('id', i.product_id, 'name', i.terms ->> 'name', 'years', (i.terms ->> 'term_years')::integer,
          'quantity', i.quantity, 'amount', i.unit_amount * i.quantity) order by i.position)
        from order_items i where i.order_id = o.id) as lines
     from orders o where o.id = $1`,
    [orderId],
  );
  const [order] = rows;
  if (!order || !isMailable(order.email)) return;
  const { email, language, ...receipt } = order;
  const lines = order.lines.map(({ id, ...line }) => ({ ...line, name: lineName(language, { id, name: line.name }) }));
  await enqueueMail(tx, {
    template: "receipt",
    language,
    to: email,
    props: { ...receipt, lines, ordersUrl: `${site}/orders` },
    dedupeKey: `receipt of ${orderId}`,
  });
}
