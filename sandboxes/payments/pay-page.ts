import { CARDS } from "./cards.ts";
import type { LineItem, Session } from "./objects.ts";
import { asText, frame, money } from "./page-frame.ts";

interface PayPage {
  session: Session;
  lines: LineItem[];
  /** The vendor's code for the refusal of the last attempt. */
  refusal?: string | undefined;
  /** The previously submitted form values. */
  typed?: Record<string, string>;
}

/** Renders the payment page of a session. */
export function payPage({ session, lines, refusal, typed = {} }: PayPage): string {
  const language = session.locale?.startsWith("it") ? "it" : "en";
  const texts = wordsOf(session.locale);
  if (session.status !== "open") {
    const back = session.status === "complete" ? session.success_url : session.cancel_url;
    return frame(
      language,
      texts.closed,
      `<h1>${texts.closed}</h1><p>${texts.closedText}</p>${back ? `<p><a href="${asText(back)}">${texts.cancel}</a></p>` : ""}`,
    );
  }
  const free = session.amount_total === 0;
  const { amount_discount } = session.total_details;
  return frame(
    language,
    texts.title,
    `<header class="merchant">
  <p class="shop"><span aria-hidden="true" class="sun"></span>Skies</p>
  <h1>${texts.title}</h1>
  <p class="amount">${money(session.amount_total, session.currency)}</p>
  <p class="soft secure">${LOCK}${texts.secure}</p>
</header>
<p class="notice">${texts.noMoney}</p>
<section aria-label="${texts.total}">
  <table>
    <tbody>${lines.map((line) => row(`${line.quantity} × ${line.description}`, money(line.amount_subtotal, line.currency))).join("")}
    ${amount_discount > 0 ? row(texts.discount, `−${money(amount_discount, session.currency)}`) : ""}</tbody>
    <tfoot>${row(texts.total, money(session.amount_total, session.currency))}</tfoot>
  </table>
</section>
<section>
  <form method="post">
    ${session.shipping_address_collection ? delivery(texts, session, typed) : ""}
    ${free ? "" : cardFields(texts, typed)}
    ${refusal ? `<p class="refused" role="alert">${texts.refusals[refusal] ?? texts.refusals.generic_decline}</p>` : ""}
    <button class="pay">${free ? texts.finish : `${texts.pay} ${money(session.amount_total, session.currency)}`}</button>
  </form>
  ${session.cancel_url ? `<p><a href="${asText(session.cancel_url)}">${texts.cancel}</a></p>` : ""}
</section>
${free ? "" : agreed(texts, language)}`,
  );
}

const row = (label: string, right: string) => `<tr><td>${asText(label)}</td><td>${asText(right)}</td></tr>`;

const field = (name: string, label: string, typed: Record<string, string>, rest = "required") =>
  `<label>${label}<input name="${name}" value="${asText(typed[name] ?? "")}" ${rest}></label>`;

/** The card fields of a provider's page. The sandbox uses only the number. */
const cardFields = (texts: Words, typed: Record<string, string>) => `<h2>${texts.card}</h2>
    ${field("number", texts.number, typed, 'required inputmode="numeric" autocomplete="off" placeholder="4242 4242 4242 4242"')}
    <div class="pair">${field("expiry", texts.expiry, typed, 'inputmode="numeric" autocomplete="off" placeholder="12 / 34"')}
    ${field("code", texts.code, typed, 'inputmode="numeric" autocomplete="off" maxlength="4" placeholder="123"')}</div>
  <p class="soft">${texts.alone}</p>`;

const LOCK = `<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="currentColor"><path d="M8 1a3.5 3.5 0 0 0-3.5 3.5V7H4a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V8a1 1 0 0 0-1-1h-.5V4.5A3.5 3.5 0 0 0 8 1Zm-2 6V4.5a2 2 0 1 1 4 0V7Z"/></svg>`;

function delivery(texts: Words, { shipping_address_collection: countries }: Session, typed: Record<string, string>) {
  const nameOf = new Intl.DisplayNames([texts === it ? "it" : "en"], { type: "region" });
  const options = (countries?.allowed_countries ?? []).map(
    (code) =>
      `<option value="${asText(code)}"${code === typed.country ? " selected" : ""}>${asText(nameOf.of(code) ?? code)}</option>`,
  );
  return `<h2>${texts.delivery}</h2>
    ${field("name", texts.name, typed, 'required autocomplete="name"')}
    ${field("line1", texts.line1, typed, 'required autocomplete="address-line1"')}
    ${field("line2", texts.line2, typed, 'autocomplete="address-line2"')}
    <div class="pair">${field("postal_code", texts.postal_code, typed, 'required autocomplete="postal-code"')}
    ${field("city", texts.city, typed, 'required autocomplete="address-level2"')}</div>
    <label>${texts.country}<select name="country" autocomplete="country">${options.join("")}</select></label>
    ${field("phone", texts.phone, typed, 'type="tel" autocomplete="tel"')}`;
}

const agreed = (texts: Words, language: "en" | "it") => `<section><details><summary>${texts.agreed}</summary>
  <table><tbody>${CARDS.map(({ number, says }) => `<tr><td><code>${number}</code></td><td>${says[language]}</td></tr>`).join("")}</tbody></table>
</details></section>`;

const en = {
  title: "Pay by card",
  noMoney: "This is a sandbox. No real money moves here, and no real card belongs here.",
  total: "To pay",
  discount: "Discount",
  number: "Card number",
  name: "Name",
  phone: "Phone number (optional)",
  line1: "Address",
  line2: "Address line 2 (optional)",
  city: "Town",
  postal_code: "Postcode",
  country: "Country",
  delivery: "Delivery address",
  card: "Card",
  expiry: "Expiry date",
  code: "Security code",
  alone: "Here the number alone is enough.",
  secure: "Secure payment page of the provider",
  pay: "Pay",
  finish: "Finish",
  cancel: "Go back without paying",
  agreed: "Test card numbers",
  closed: "This payment page is closed",
  closedText: "It has already been paid, or it has expired.",
  refusals: {
    incorrect_number: "This is not one of the test card numbers.",
    generic_decline: "The bank declined the card. Nothing was paid.",
    insufficient_funds: "There is not enough money on the card. Nothing was paid.",
    payment_intent_authentication_failure:
      "The bank could not confirm that it is you. Nothing was paid. Try again, or use another card.",
  } as Record<string, string>,
};
const it: typeof en = {
  title: "Paga con carta",
  noMoney: "Questa è una prova. Qui non si muove denaro vero, e nessuna carta vera va usata.",
  total: "Da pagare",
  discount: "Sconto",
  number: "Numero della carta",
  name: "Nome",
  phone: "Telefono (facoltativo)",
  line1: "Indirizzo",
  line2: "Seconda riga (facoltativa)",
  city: "Città",
  postal_code: "CAP",
  country: "Paese",
  delivery: "Dove spedire",
  card: "Carta",
  expiry: "Scadenza",
  code: "Codice di sicurezza",
  alone: "Qui basta il numero.",
  secure: "Pagina di pagamento sicura del fornitore",
  pay: "Paga",
  finish: "Concludi",
  cancel: "Torna indietro senza pagare",
  agreed: "Numeri di carta di prova",
  closed: "Questa pagina è chiusa",
  closedText: "È già stata pagata, oppure è scaduta.",
  refusals: {
    incorrect_number: "Non è uno dei numeri di carta di prova.",
    generic_decline: "La banca ha rifiutato la carta. Non è stato pagato nulla.",
    insufficient_funds: "Sulla carta non c'è abbastanza denaro. Non è stato pagato nulla.",
    payment_intent_authentication_failure:
      "La banca non ha potuto confermare la tua identità. Non è stato pagato nulla. Riprova o usa un'altra carta.",
  },
};

const wordsOf = (locale: string | null) => (locale?.startsWith("it") ? it : en);
type Words = typeof en;
