import { createContext, useContext } from "react";

/** The voucher code in hand (Spec §4: no code, validating, valid, invalid), and what can be done with it. */
export interface Voucher {
  status: "none" | "validating" | "valid" | "invalid";
  /** As entered; null if there is none. */
  code: string | null;
  /** What it takes off, in percent; 0 unless it is valid. */
  percentage: number;
  /** Why it is invalid, as Spec §8 words it; else empty. */
  message: string;
  /** Whether it takes something off this plan; of cards with null. False unless it is valid. */
  covers: (planId: string | null) => boolean;
  /** Puts a code in the place of the one in hand and asks the server about it; never rejects. */
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
