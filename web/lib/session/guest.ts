import { createContext, useContext } from "react";
import type { Guest } from "../../../shared/share.ts";

/** Anyone who came by a link without an account. */
export interface GuestState {
  /** As who they signed it; null while they are nobody. */
  guest: Guest | null;
  /** For whom the link's token speaks, null for nobody: a moment after signing in still. Absent outside of a link. */
  holder?: string | null;
  /** Asks for their name, or for another one; absent where no name would let them do more. */
  askName?: () => void;
}

const NOBODY: GuestState = { guest: null };
const GuestContext = createContext(NOBODY);

/** Says behind a share gate who came by it. */
export const GuestProvider = GuestContext.Provider;

/** Which guest looks at this page; nobody outside of a link. */
export const useGuest = () => useContext(GuestContext);
