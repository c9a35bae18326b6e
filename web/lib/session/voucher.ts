import { createContext, type RefObject, useContext } from "react";

/** The current voucher code and its actions (Spec §4: no code, validating, valid, invalid). */
export interface Voucher {
  status: "none" | "validating" | "valid" | "invalid";
  /** As entered; null if there is none. */
  code: string | null;
  /** The discount in percent; 0 unless it is valid. */
  percentage: number;
  /** Why it is invalid, by Spec §8; otherwise empty. */
  message: string;
  /** Whether the voucher reduces the price of a plan, or of cards for null. False unless it is valid. */
  covers: (planId: string | null) => boolean;
  /** Replaces the current code and validates it on the server; never rejects. */
  apply: (code: string) => Promise<void>;
  /** Removes the code, here and in other tabs. */
  clear: () => void;
  /** The number of rendered forms, which show why a code is invalid. Without one, a refused code is shown in a toast. */
  forms: RefObject<number>;
}

export const VoucherContext = createContext<Voucher | undefined>(undefined);

export function useVoucher(): Voucher {
  const voucher = useContext(VoucherContext);
  if (!voucher) throw new Error("useVoucher must be used within a VoucherProvider");
  return voucher;
}
