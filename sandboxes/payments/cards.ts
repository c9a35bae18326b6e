/** The result of a payment with a test card, and the delivery of its webhooks. */
export interface TestCardBehaviour {
  number: string;
  pays: "at once" | "never" | "later" | "fails later";
  /** The vendor's code for the bank's reason. */
  decline?: string;
  /** The result of the bank's additional check (3-D Secure); without it, the bank requires none. */
  challenge?: "passes" | "fails";
  delivery: "at once" | "late" | "twice" | "backwards";
  says: { en: string; it: string };
}

const card = (
  number: string,
  pays: TestCardBehaviour["pays"],
  delivery: TestCardBehaviour["delivery"],
  says: TestCardBehaviour["says"],
  bank: Pick<TestCardBehaviour, "decline" | "challenge"> = {},
): TestCardBehaviour => ({ number, pays, delivery, says, ...bank });

/** The test cards, in the order of the page's list. */
export const CARDS: readonly TestCardBehaviour[] = [
  card("4242 4242 4242 4242", "at once", "at once", { en: "pays", it: "paga" }),
  card(
    "4000 0000 0000 0002",
    "never",
    "at once",
    { en: "is declined", it: "viene rifiutata" },
    { decline: "generic_decline" },
  ),
  card(
    "4000 0000 0000 9995",
    "never",
    "at once",
    { en: "has not enough money on it", it: "non ha abbastanza denaro" },
    { decline: "insufficient_funds" },
  ),
  card(
    "4000 0000 0000 3220",
    "at once",
    "at once",
    { en: "pays once you confirm it to the bank (3-D Secure)", it: "paga dopo la conferma alla banca (3-D Secure)" },
    { challenge: "passes" },
  ),
  card(
    "4000 0000 0000 6000",
    "never",
    "at once",
    {
      en: "asks you to confirm (3-D Secure), and the confirmation fails",
      it: "chiede la conferma (3-D Secure), e la conferma non riesce",
    },
    { challenge: "fails" },
  ),
  card("4000 0000 0000 1000", "at once", "late", {
    en: "pays; its webhooks come when they are released, or after ten seconds",
    it: "paga; la notizia arriva quando la si lascia andare, o dopo dieci secondi",
  }),
  card("4000 0000 0000 2000", "at once", "twice", {
    en: "pays; every webhook comes twice",
    it: "paga; ogni notizia arriva due volte",
  }),
  card("4000 0000 0000 3000", "at once", "backwards", {
    en: "pays; its webhooks come in the wrong order",
    it: "paga; le notizie arrivano nell'ordine sbagliato",
  }),
  card("4000 0000 0000 4000", "later", "at once", {
    en: "pays by a slow bank, once it is released",
    it: "paga tramite una banca lenta, quando la si lascia andare",
  }),
  card("4000 0000 0000 5000", "fails later", "at once", {
    en: "promises by a slow bank, and fails once it is released",
    it: "promette tramite una banca lenta e fallisce quando la si lascia andare",
  }),
];

/** Returns the test card with this number, regardless of spaces; undefined for any other number. */
export const testCardOf = (typed: string): TestCardBehaviour | undefined => {
  const digits = typed.replaceAll(/\D/g, "");
  return CARDS.find(({ number }) => number.replaceAll(" ", "") === digits);
};
