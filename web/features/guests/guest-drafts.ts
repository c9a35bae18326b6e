import { browserStorage } from "../../lib/browser/storage.ts";

/** Words that were begun and not sent: they outlive a reload, and go once they are sent or put aside. */
export function guestDraft(memoryId: string, by: { id: string }) {
  const key = `skies-begun-${memoryId}-${by.id}`;
  return {
    read: () => browserStorage.getItem(key) ?? "",
    keep(text: string): void {
      if (text.trim() === "") browserStorage.removeItem(key);
      else browserStorage.setItem(key, text);
    },
  };
}
