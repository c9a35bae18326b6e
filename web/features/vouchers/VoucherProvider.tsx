import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSession } from "../../lib/session/session.ts";
import { type Voucher, VoucherContext } from "../../lib/session/voucher.ts";
import { CART_KEY, forgetCode, keepCode, suppliedCode } from "./voucher-storage.ts";
import type { VoucherVerdict } from "./vouchers.queries.ts";

type Held = Pick<Voucher, "status" | "code" | "message"> & { verdict?: VoucherVerdict };
const NONE: Held = { status: "none", code: null, message: "" };
const FAILED = "Failed to validate voucher code";

/** Holds the voucher code of whoever is here; one in the address or kept from before is validated at once (Spec §4). */
export function VoucherProvider({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState<Held>(NONE);
  // What was asked about last is what counts, in whichever order answers come.
  const turn = useRef(0);

  const hold = useCallback((next: Held) => {
    turn.current++;
    setHeld(next);
  }, []);

  const apply = useCallback(
    async (given: string) => {
      const code = given.trim();
      if (code === "") {
        forgetCode();
        return hold({ ...NONE, status: "invalid", message: "No voucher code provided" });
      }
      keepCode(code);
      hold({ ...NONE, status: "validating", code });
      const asked = turn.current;
      const answer = await ask(code);
      if (turn.current !== asked) return;
      // A code that was refused is said to be so once, and not asked about again on every page.
      if (answer.verdict?.valid === false) forgetCode();
      setHeld(answer);
    },
    [hold],
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
      if (newValue) void apply(newValue);
      else hold(NONE);
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [apply, hold]);

  useAgainWhenOnline(held, apply);
  useForgettingWithStorage(hold);

  const voucher = useMemo(() => ({ ...asVoucher(held), apply, clear }), [held, apply, clear]);
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

const asVoucher = ({ verdict, ...held }: Held): Omit<Voucher, "apply" | "clear"> => ({
  ...held,
  percentage: verdict?.discount_percentage ?? 0,
  covers: (planId) =>
    verdict?.valid === true &&
    (planId === null ? verdict.applies_to_cards !== false : (verdict.plan_ids?.includes(planId) ?? true)),
});

/** A lost network is no verdict: the code is kept, and asked about once there is a network again. */
function useAgainWhenOnline({ code, message }: Held, apply: Voucher["apply"]) {
  useEffect(() => {
    if (message !== FAILED || code === null) return;
    const again = () => void apply(code);
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [code, message, apply]);
}

/** Signing out empties the storage (Spec §4); the next person at this screen is not left with the code either. */
function useForgettingWithStorage(hold: (next: Held) => void) {
  const { state } = useSession();
  const last = useRef(state);
  useEffect(() => {
    if (last.current === "signed in" && state === "signed out" && !suppliedCode()) hold(NONE);
    last.current = state;
  }, [state, hold]);
}
