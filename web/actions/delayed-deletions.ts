import { browserStorage } from "../lib/browser/storage.ts";
import { DelayedDeletions } from "../lib/request/deletions.ts";
import { supabase } from "../lib/request/supabase.ts";

/** Creates delayed deletions of items that have no trash. `key` identifies their list in the browser's storage. */
export const delayedDeletions = (key: string, remove: (ids: readonly string[]) => Promise<void>) =>
  new DelayedDeletions({
    key,
    remove,
    storage: browserStorage,
    watch(finish) {
      // Leaving the page ends the undo. If the browser interrupts the deletion, the next page load finishes it.
      window.addEventListener("pagehide", finish);
      supabase.auth.onAuthStateChange((event) => event === "INITIAL_SESSION" && finish());
    },
  });
