import { createContext, useContext } from "react";
import type { Guest } from "../../../shared/share.ts";

/** Anyone who came by a link without an account. */
export interface GuestState {
  /** The guest; null before they have given a name. */
  guest: Guest | null;
  /** The person of the link's token, null for none: also for a moment after sign-in. Absent outside of a link. */
  holder?: string | null;
  /** Asks for their name, or for another one; absent where no name would let them do more. */
  askName?: () => void;
}

const NOBODY: GuestState = { guest: null };
const GuestContext = createContext(NOBODY);

/** Provides the guest of an opened link. */
export const GuestProvider = GuestContext.Provider;

/** The guest on this page; none outside of a link. */
export const useGuest = () => useContext(GuestContext);
