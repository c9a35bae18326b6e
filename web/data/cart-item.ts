import type { Row } from "../../shared/database.ts";

/** A plan or product to buy. */
export interface CartWish {
  plan_id?: string;
  product_id?: string;
  /** 1 of a plan; up to 1000 of a product. */
  quantity?: number;
  /** Cards in addition to the plan's own. */
  additional_cards?: number;
  currency?: "GBP" | "EUR";
  /** Further data, e.g. a card's text; at most 16 KB. */
  item?: Row<"cart_items">["item"];
}

/** A cart_items row, Spec §3. */
export type CartItem = Pick<
  Row<"cart_items">,
  "id" | "plan_id" | "product_id" | "quantity" | "additional_cards" | "currency" | "price" | "item" | "created_at"
>;
