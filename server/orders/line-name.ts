/** What products are called in Italian; the catalogue's own names are English, and plans have names of their own. */
const IN_ITALIAN: Readonly<Record<string, string>> = { "metal-card": "Carta in metallo" };

/** What a line of an order is called to its buyer. */
export const lineName = (language: "en" | "it", { id, name }: { id: string | null; name: string }): string =>
  (language === "it" && id !== null && IN_ITALIAN[id]) || name;
