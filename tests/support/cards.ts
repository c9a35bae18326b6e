import { randomUUID } from "node:crypto";
import type { Database } from "../../server/database/database.ts";

interface Bought {
  /** Separately bought cards with their engraving; without it they are not personalised. */
  cards?: { quantity: number; engraving?: Record<string, unknown> };
  /** The number of cards that come with a plan. */
  included?: number;
}

export const ADDRESS = {
  name: "Ada Byron",
  address: { line1: "1 St James's Square", city: "London", postal_code: "SW1Y 4JU", country: "GB" },
};

/** Makes an order and marks it as paid, like the payment provider; resolves to its id and number. */
export async function paidOrder(db: Database, userId: string, { cards, included = 0 }: Bought) {
  const { rows } = await db.query<{ id: string; number: string }>(
    `insert into orders (user_id, email, currency, subtotal, total, delivery)
     values ($1, $2, 'GBP', 2500, 2500, $3) returning id, number`,
    [userId, `buyer.${randomUUID().slice(0, 8)}@example.com`, ADDRESS],
  );
  const order = rows[0];
  if (!order) throw new Error("No order");
  if (cards) {
    await db.query(
      `insert into order_items (order_id, kind, product_id, quantity, unit_amount, total, terms, details)
       values ($1, 'card', 'metal-card', $2, 2500, $2 * 2500, '{"name": "Metal card"}', $3)`,
      [order.id, cards.quantity, cards.engraving ? { engraving: cards.engraving } : {}],
    );
  }
  if (included > 0) {
    await db.query(
      `insert into order_items (order_id, kind, plan_id, quantity, unit_amount, total, terms)
       values ($1, 'plan', 'skies-memories', 1, 4500, 4500, $2)`,
      [
        order.id,
        { name: "Skies Memories", max_memories: null, storage_gb: 100, term_years: 1, included_cards: included },
      ],
    );
  }
  await db.query("update orders set status = 'paid' where id = $1", [order.id]);
  return order;
}

export interface Card {
  id: string;
  code: string;
  user_id: string | null;
  making: string;
  state: string;
  name: string;
  memory_id: string | null;
  link_id: string | null;
}

export const cardsOf = async (db: Database, orderId: string): Promise<Card[]> =>
  (await db.query<Card>("select * from metal_cards where order_id = $1 order by order_item_id, place", [orderId])).rows;
