import { elideDays } from "../../shared/italian-days.ts";
import { type Currency, moneyText } from "../../shared/money.ts";
import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { dayOf } from "./language.ts";
import type { Template } from "./template.ts";

type Refunded = EmailProps["order-refunded"];

/** To the buyer of a refunded order: the refunded amount, and what remains of the purchase. */
export const orderRefunded: Template<Refunded> = {
  en: (props) => ({
    subject: `Your refund for order ${props.number} is on its way`,
    preview: "It goes back to the card or account you paid with.",
    content: (
      <>
        <Title>Your refund of {money(props, props.amount)} is on its way</Title>
        <Paragraph>
          {isBack(props)
            ? `We have refunded your order ${props.number} to the card or account you paid with.`
            : `We have refunded part of your order ${props.number} to the card or account you paid with; the total after the refund is ${money(props, props.remains)}.`}{" "}
          Banks usually need five to ten days.
        </Paragraph>
        {props.accountDeleted && (
          <Paragraph>
            Your account has been deleted. We refund every payment that reaches us after that, and cards that were
            bought but not yet engraved; they will not be made.
          </Paragraph>
        )}
        {!isBack(props) && !props.accountDeleted && <Paragraph>What you bought stays yours.</Paragraph>}
        {isBack(props) && !props.accountDeleted && props.plan && (
          <Paragraph>
            The plan in this order has ended too. Nothing is deleted, and all your pages stay open: everything stays
            readable, shareable and downloadable.
          </Paragraph>
        )}
        {isBack(props) && !props.accountDeleted && props.cards && (
          <Paragraph>Cards that have not been engraved will not be made. Engraved cards stay yours.</Paragraph>
        )}
        {!props.accountDeleted && <Action href={props.orderUrl}>See the order</Action>}
        <Aside>If you did not expect this, or something is wrong, simply reply to this email.</Aside>
      </>
    ),
  }),
  it: (props) => ({
    subject: `Il rimborso dell’ordine ${props.number} è in arrivo`,
    preview: "Torna sulla carta o sul conto con cui hai pagato.",
    content: (
      <>
        <Title>{money(props, props.amount)} stanno tornando da te</Title>
        <Paragraph>
          {isBack(props)
            ? `Quanto hai pagato per l’ordine ${props.number} torna sulla carta o sul conto con cui hai pagato.`
            : `Una parte di quanto hai pagato per l’ordine ${props.number} torna sulla carta o sul conto con cui hai pagato; ne restano pagati ${money(props, props.remains)}.`}{" "}
          Di solito le banche impiegano da cinque a dieci giorni.
        </Paragraph>
        {props.accountDeleted && (
          <Paragraph>
            Il tuo account è stato eliminato. Rimborsiamo ogni pagamento che ci arriva dopo, e le carte acquistate ma
            non ancora incise, che non verranno fatte.
          </Paragraph>
        )}
        {!isBack(props) && !props.accountDeleted && <Paragraph>Quello che hai acquistato resta tuo.</Paragraph>}
        {isBack(props) && !props.accountDeleted && props.plan && (
          <Paragraph>
            Insieme è finito il piano di questo ordine. Non si cancella nulla e nessuna pagina si chiude: tutto ciò che
            custodisci si può ancora leggere, condividere e scaricare.
          </Paragraph>
        )}
        {isBack(props) && !props.accountDeleted && props.cards && (
          <Paragraph>Le carte non ancora incise non verranno fatte. Quelle già incise restano tue.</Paragraph>
        )}
        {!props.accountDeleted && <Action href={props.orderUrl}>Vedi l’ordine</Action>}
        <Aside>Se non te lo aspettavi, o qualcosa non torna, rispondi semplicemente a questa email.</Aside>
      </>
    ),
  }),
};

/** To the buyer of a disputed order. Most disputes arise because the cardholder did not recognise our name. */
export const orderDisputed: Template<EmailProps["order-disputed"]> = {
  en: (props, timeZone) => ({
    subject: `A question from a bank about your order ${props.number}`,
    preview: "Until the bank answers, nothing changes.",
    content: (
      <>
        <Title>A question from a bank about your payment</Title>
        <Paragraph>
          Someone has asked their bank about the payment of {money(props, props.total)} for your order {props.number} of{" "}
          {dayOf(props.paidAt, "en", timeZone)}. Until the bank answers, nothing changes, and you need not do anything.
        </Paragraph>
        <Paragraph>
          Most often, someone did not recognise the name on a bank statement. If the payment was yours, please tell your
          bank: that settles it sooner. If something is wrong with what you bought, reply to this email and we will put
          it right.
        </Paragraph>
        <Action href={props.orderUrl}>See the order</Action>
      </>
    ),
  }),
  it: (props, timeZone) => ({
    subject: `Una richiesta della banca sul tuo ordine ${props.number}`,
    preview: "Finché non risponde, tutto resta com’è.",
    content: (
      <>
        <Title>Una richiesta della banca sul tuo pagamento</Title>
        <Paragraph>
          Qualcuno ha chiesto alla propria banca chiarimenti sul pagamento di {money(props, props.total)} per il tuo
          ordine {props.number} {elideDays(`del ${dayOf(props.paidAt, "it", timeZone)}`)}. Finché la banca non risponde
          tutto resta com’è, e non devi fare nulla.
        </Paragraph>
        <Paragraph>
          Di solito è un nome sull’estratto conto che nessuno ha riconosciuto. Se il pagamento era proprio tuo, dillo
          alla banca: si chiarisce prima. Se invece qualcosa non va in ciò che hai acquistato, rispondi a questa email:
          ci teniamo a rimediare.
        </Paragraph>
        <Action href={props.orderUrl}>Vedi l’ordine</Action>
      </>
    ),
  }),
};

/** To the buyer of an order whose delayed bank payment failed. */
export const paymentFailed: Template<EmailProps["payment-failed"]> = {
  en: (props) => ({
    subject: `The payment for your order ${props.number} did not go through`,
    preview: "Nothing was bought, and you have not been charged.",
    content: (
      <>
        <Title>The payment did not go through</Title>
        <Paragraph>
          Your bank has not confirmed the payment of {money(props, props.total)} for your order {props.number}. Nothing
          was bought, and you have not been charged.
        </Paragraph>
        <Paragraph>
          What you chose is still in your cart. You can pay for it at any time, with another card or another payment
          method.
        </Paragraph>
        <Action href={props.cartUrl}>Go to my cart</Action>
        <Aside>Only your bank can say why. If you still see the amount on a statement, reply to this email.</Aside>
      </>
    ),
  }),
  it: (props) => ({
    subject: `Il pagamento del tuo ordine ${props.number} non è riuscito`,
    preview: "Non è stato acquistato nulla e nulla ti resta addebitato.",
    content: (
      <>
        <Title>Il pagamento non è riuscito</Title>
        <Paragraph>
          La tua banca non ha confermato il pagamento di {money(props, props.total)} per il tuo ordine {props.number}.
          Non è stato acquistato nulla e nulla ti resta addebitato.
        </Paragraph>
        <Paragraph>
          Quello che hai scelto è ancora nel carrello. Puoi pagarlo quando vuoi, con un’altra carta o in un altro modo.
        </Paragraph>
        <Action href={props.cartUrl}>Vai al carrello</Action>
        <Aside>
          Il motivo lo sa soltanto la banca. Se l’importo compare comunque sul tuo estratto conto, rispondi a questa
          email.
        </Aside>
      </>
    ),
  }),
};

const isBack = ({ remains }: Refunded) => remains === 0;

const money = ({ currency }: { currency: Currency }, amount: number) => moneyText(amount, currency);
