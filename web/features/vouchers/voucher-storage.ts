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
    sessionStorage.getItem(CODE_KEY),
    localStorage.getItem(CODE_KEY),
    localStorage.getItem(CART_KEY),
  ];
  return candidates.map((code) => code?.trim()).find(Boolean);
}

/** Keeps a code for the next visit, wherever it is looked for. */
export function keepCode(code: string) {
  sessionStorage.setItem(CODE_KEY, code);
  localStorage.setItem(CODE_KEY, code);
  localStorage.setItem(CART_KEY, code);
}

/** Forgets it, also in the address: a reload would bring it back. */
export function forgetCode() {
  sessionStorage.removeItem(CODE_KEY);
  localStorage.removeItem(CODE_KEY);
  localStorage.removeItem(CART_KEY);
  const url = new URL(location.href);
  if (!url.searchParams.has(PARAMETER)) return;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}
