import { keepJson, readJson, tabStorage } from "../lib/browser/storage.ts";
import type { CartWish } from "./cart-item.ts";

const KEY = "cart_wanted";

/** Stores a visitor's selection until they have signed in. */
export const rememberPendingItems = (wishes: readonly CartWish[]) => keepJson(tabStorage, KEY, wishes);

/** Whether a selection is stored. */
export const hasPendingItems = () => tabStorage.getItem(KEY) !== null;

/** Takes the stored selection once; the server validates it. */
export function takePendingItems(): CartWish[] {
  const wishes = readJson(tabStorage, KEY);
  tabStorage.removeItem(KEY);
  return Array.isArray(wishes) ? wishes : [];
}
