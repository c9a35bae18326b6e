/** Words that were begun and not sent: they outlive a reload, and go once they are sent or put aside. */
export function guestDraft(memoryId: string, by: { id: string }) {
  const key = `skies-begun-${memoryId}-${by.id}`;
  return {
    read(): string {
      try {
        return localStorage.getItem(key) ?? "";
      } catch {
        return "";
      }
    },
    keep(text: string): void {
      try {
        if (text.trim() === "") localStorage.removeItem(key);
        else localStorage.setItem(key, text);
      } catch {
        // Storage is full or forbidden: then a reload loses them.
      }
    },
  };
}
