import type { Row } from "../../shared/database.ts";

/** A plan or product to buy. */
export interface CartWish {
  plan_id?: string;
  product_id?: string;
  /** One of a plan; of a product as many as 1000. */
  quantity?: number;
  /** Cards beside those that a plan includes. */
  additional_cards?: number;
  currency?: "GBP" | "EUR";
  /** Further data, as a card's text; 16 KB at most. */
  item?: Row<"cart_items">["item"];
}

/** A cart_items row, Spec §3. */
export type CartItem = Pick<
  Row<"cart_items">,
  "id" | "plan_id" | "product_id" | "quantity" | "additional_cards" | "currency" | "price" | "item" | "created_at"
>;
