/** Italian names of products. The catalogue's names are English; plans have the same name in both languages. */
const IN_ITALIAN: Readonly<Record<string, string>> = { "metal-card": "Carta in metallo" };

/** Returns the name of an order line in the buyer's language. */
export const lineName = (language: "en" | "it", { id, name }: { id: string | null; name: string }): string =>
  (language === "it" && id !== null && IN_ITALIAN[id]) || name;
