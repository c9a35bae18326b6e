import { browserStorage, tabStorage } from "../../lib/browser/storage.ts";

/** Spec §3: the code, in session and in local storage. */
const CODE_KEY = "voucher_code";
/** Spec §3, §4: once more in local storage for the cart. Other tabs follow this one. */
export const CART_KEY = "cart_voucher_code";
/** Spec §2: on any page. */
const PARAMETER = "voucher";

/** The code that the address brings or that was kept, in this order: address, this tab, this browser. */
export function suppliedCode(): string | undefined {
  const candidates = [
    new URLSearchParams(location.search).get(PARAMETER),
    tabStorage.getItem(CODE_KEY),
    browserStorage.getItem(CODE_KEY),
    browserStorage.getItem(CART_KEY),
  ];
  return candidates.map((code) => code?.trim()).find(Boolean);
}

/** Keeps a code for the next visit, wherever it is looked for. */
export function keepCode(code: string) {
  tabStorage.setItem(CODE_KEY, code);
  browserStorage.setItem(CODE_KEY, code);
  browserStorage.setItem(CART_KEY, code);
}

/** Forgets it, also in the address: a reload would bring it back. */
export function forgetCode() {
  tabStorage.removeItem(CODE_KEY);
  browserStorage.removeItem(CODE_KEY);
  browserStorage.removeItem(CART_KEY);
  const url = new URL(location.href);
  if (!url.searchParams.has(PARAMETER)) return;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}
