import type { CartWish } from "./cart-item.ts";

const KEY = "cart_wanted";

/** Remembers what a visitor chose until they have signed in. */
export function rememberPendingItems(wishes: readonly CartWish[]) {
  sessionStorage.setItem(KEY, JSON.stringify(wishes));
}

/** What was remembered, once; the server checks every bit of it. */
export function takePendingItems(): CartWish[] {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    const wishes: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(wishes) ? wishes : [];
  } catch {
    return [];
  }
}
