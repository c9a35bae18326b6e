/** What somebody wants to buy: a plan or a product. */
export interface CartWish {
  plan_id?: string;
  product_id?: string;
  /** One of a plan; of a product as many as 1000. */
  quantity?: number;
  /** Cards beside those that a plan includes. */
  additional_cards?: number;
  currency?: "GBP" | "EUR";
  /** What else belongs to it, as the words on a card; 16 KB at most. */
  item?: Record<string, unknown>;
}

/** A cart_items row, Spec §3. */
export interface CartItem {
  id: string;
  plan_id: string | null;
  product_id: string | null;
  quantity: number;
  additional_cards: number;
  currency: "GBP" | "EUR";
  /** Of one of it, in pounds or euros, as the server says. */
  price: number;
  item: Record<string, unknown>;
  created_at: string;
}
