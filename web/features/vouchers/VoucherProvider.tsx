import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { translate } from "../../i18n/translate.ts";
import { browserStorage, tabStorage } from "../../lib/browser/storage.ts";
import { useSession } from "../../lib/session/session.ts";
import { type Voucher, VoucherContext } from "../../lib/session/voucher.ts";
import { toast } from "../../ui/toasts.tsx";
import type { VoucherVerdict } from "./vouchers.queries.ts";

type Held = Pick<Voucher, "status" | "code" | "message"> & { verdict?: VoucherVerdict };
const NONE: Held = { status: "none", code: null, message: "" };
const FAILED = "Failed to validate voucher code";

/** Provides the voucher code. A code in the URL or in storage is validated on load (Spec §4). */
export function VoucherProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<Held>(NONE);
  // Rises with each code, so that the result of an older validation is ignored.
  const turn = useRef(0);
  const forms = useRef(0);

  const hold = useCallback((next: Held) => {
    turn.current++;
    setState(next);
  }, []);

  /**
   * Validates a code and shows the result, unless a newer code was entered in the meantime. Resolves to whether the
   * code was refused.
   */
  const check = useCallback(
    async (code: string): Promise<boolean> => {
      hold({ ...NONE, status: "validating", code });
      const turnOfCall = turn.current;
      const answer = await ask(code);
      if (turn.current !== turnOfCall) return false;
      setState(answer);
      return answer.verdict?.valid === false;
    },
    [hold],
  );

  const apply = useCallback(
    async (typed: string) => {
      const code = typed.trim();
      if (code === "") {
        forgetCode();
        return hold({ ...NONE, status: "invalid", message: "No voucher code provided" });
      }
      keepCode(code);
      // A refused code is removed from storage, so that it is reported once and not validated again on every page.
      if (!(await check(code))) return;
      forgetCode();
      // The refusal stays, so that a form that appears later says why the prices are the full ones.
      if (forms.current > 0) return;
      toast({ title: translate("vouchers:invalid"), description: code.toUpperCase(), tone: "problem" });
    },
    [hold, check],
  );

  const clear = useCallback(() => {
    forgetCode();
    hold(NONE);
  }, [hold]);

  useEffect(() => {
    const code = suppliedCode();
    if (code) void apply(code);
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== CART_KEY && key !== null) return;
      // Only the tab in which a code was entered stores or removes the code, so that the other tab keeps its result.
      if (newValue) void check(newValue);
      else hold(NONE);
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [apply, check, hold]);

  useAgainWhenOnline(state, apply);
  useForgettingWithStorage(hold);

  const voucher = useMemo(() => ({ ...asVoucher(state), apply, clear, forms }), [state, apply, clear]);
  return <VoucherContext value={voucher}>{children}</VoucherContext>;
}

async function ask(code: string): Promise<Held> {
  try {
    const { askAboutVoucher } = await import("./ask-about-voucher.ts");
    const verdict = await askAboutVoucher(code);
    return { status: verdict.valid ? "valid" : "invalid", code, message: verdict.message, verdict };
  } catch {
    return { status: "invalid", code, message: FAILED };
  }
}

const asVoucher = ({ verdict, ...state }: Held): Omit<Voucher, "apply" | "clear" | "forms"> => ({
  ...state,
  percentage: verdict?.discount_percentage ?? 0,
  covers: (planId) =>
    verdict?.valid === true &&
    (planId === null ? verdict.applies_to_cards !== false : (verdict.plan_ids?.includes(planId) ?? true)),
});

/** Validates a code again when the network returns, because a network failure does not make the code invalid. */
function useAgainWhenOnline({ code, message }: Held, apply: Voucher["apply"]) {
  useEffect(() => {
    if (message !== FAILED || code === null) return;
    const again = () => void apply(code);
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [code, message, apply]);
}

/**
 * Clears the code after a sign-out, which has cleared the storage (Spec §4), so that the next person does not see it.
 */
function useForgettingWithStorage(hold: (next: Held) => void) {
  const { state } = useSession();
  const last = useRef(state);
  useEffect(() => {
    if (last.current === "signed in" && state === "signed out" && !suppliedCode()) hold(NONE);
    last.current = state;
  }, [state, hold]);
}

/** Storage key of the code in session and local storage (Spec §3). */
const CODE_KEY = "voucher_code";
/** Second key of the code in local storage, for the cart. Other tabs follow its changes (Spec §3, §4). */
const CART_KEY = "cart_voucher_code";
/** URL parameter of the code, on any page (Spec §2). */
const PARAMETER = "voucher";

/** Returns the code from the URL, session storage or local storage, in this order. */
function suppliedCode(): string | undefined {
  const candidates = [
    new URLSearchParams(location.search).get(PARAMETER),
    tabStorage.getItem(CODE_KEY),
    browserStorage.getItem(CODE_KEY),
    browserStorage.getItem(CART_KEY),
  ];
  return candidates.map((code) => code?.trim()).find(Boolean);
}

/** Stores a code for the next visit. */
function keepCode(code: string) {
  tabStorage.setItem(CODE_KEY, code);
  browserStorage.setItem(CODE_KEY, code);
  browserStorage.setItem(CART_KEY, code);
}

/** Removes the code, also from the URL, so that a reload does not restore it. */
function forgetCode() {
  tabStorage.removeItem(CODE_KEY);
  browserStorage.removeItem(CODE_KEY);
  browserStorage.removeItem(CART_KEY);
  const url = new URL(location.href);
  if (!url.searchParams.has(PARAMETER)) return;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
}
