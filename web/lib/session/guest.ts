import { createContext, useContext } from "react";
import type { Guest } from "../../../shared/share.ts";

/** A person at a link without an account. */
export interface GuestState {
  /** The guest; null before they have given a name. */
  guest: Guest | null;
  /**
   * The signed-in person named in the link's token; null for none, also briefly after a sign-in. Absent outside of a
   * link.
   */
  holder?: string | null;
  /** The link's share id. Absent outside of a link. */
  shareId?: string;
  /**
   * Asks for their name or another one; absent if a name would not allow more. `onClosed` is called if they close the
   * question without an answer, so that what waited for the name is forgotten.
   */
  askName?: (onClosed?: () => void) => void;
}

const NOBODY: GuestState = { guest: null };
const GuestContext = createContext(NOBODY);

export const GuestProvider = GuestContext.Provider;

/** The guest of this page; none outside of a link. */
export const useGuest = () => useContext(GuestContext);
