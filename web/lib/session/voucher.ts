import { createContext, useContext } from "react";

/** The current voucher code (Spec §4: no code, validating, valid, invalid), and its actions. */
export interface Voucher {
  status: "none" | "validating" | "valid" | "invalid";
  /** As entered; null if there is none. */
  code: string | null;
  /** What it takes off, in percent; 0 unless it is valid. */
  percentage: number;
  /** Why it is invalid, by Spec §8; else empty. */
  message: string;
  /** Whether it reduces this plan's price; of cards with null. False unless it is valid. */
  covers: (planId: string | null) => boolean;
  /** Replaces the current code and validates it on the server; never rejects. */
  apply: (code: string) => Promise<void>;
  /** Forgets the code, here and in other tabs. */
  clear: () => void;
}

export const VoucherContext = createContext<Voucher | undefined>(undefined);

/** The voucher code in hand, on any page. */
export function useVoucher(): Voucher {
  const voucher = useContext(VoucherContext);
  if (!voucher) throw new Error("useVoucher must be used within a VoucherProvider");
  return voucher;
}
