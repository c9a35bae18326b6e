import type { Session } from "./objects.ts";
import { asText, frame, money } from "./page-frame.ts";

/** Renders the page where the buyer's bank asks for a confirmation of the payment (3-D Secure). */
export function challengePage({ locale, amount_total, currency }: Session): string {
  const language = locale?.startsWith("it") ? "it" : "en";
  const texts = WORDS[language];
  const amount = money(amount_total, currency);
  return frame(
    language,
    texts.title,
    `<header>
  <p class="soft">${texts.bank}</p>
  <h1>${texts.title}</h1>
</header>
<p class="notice">${texts.noMoney}</p>
<section>
  <form method="post">
    <p>${asText(texts.question(amount))}</p>
    <button class="pay" name="answer" value="confirm">${texts.confirm}</button>
    <button name="answer" value="refuse">${texts.refuse}</button>
  </form>
</section>`,
  );
}

const WORDS = {
  en: {
    bank: "Your bank · 3-D Secure",
    title: "Is this payment yours?",
    noMoney: "This is a sandbox. It stands for the bank's page, and no real money moves here.",
    question: (amount: string) => `Skies asks for ${amount}. A real bank would ask for a code or for your banking app.`,
    confirm: "Confirm the payment",
    refuse: "Do not confirm",
  },
  it: {
    bank: "La tua banca · 3-D Secure",
    title: "Questo pagamento è tuo?",
    noMoney: "Questa è una prova. Sta al posto della pagina della banca, e qui non si muove denaro vero.",
    question: (amount: string) =>
      `Skies chiede ${amount}. Una banca vera chiederebbe un codice o la conferma nell'app della banca.`,
    confirm: "Conferma il pagamento",
    refuse: "Non confermare",
  },
};
