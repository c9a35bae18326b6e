import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";

export const cardsEngraved: Template<EmailProps["cards-engraved"]> = {
  en: ({ number, cards, cardsUrl }) => ({
    subject: cards === 1 ? "Your card is being engraved" : "Your cards are being engraved",
    preview: "From now on the words on it stay as they are.",
    content: (
      <>
        <Title>{cards === 1 ? "Your card is being engraved" : `${cards} cards are being engraved`}</Title>
        <Paragraph>
          {cards === 1 ? "The card" : "The cards"} of your order {number} {cards === 1 ? "is" : "are"} with our engraver
          now. We write again as soon as {cards === 1 ? "it is" : "they are"} on the way.
        </Paragraph>
        <Aside>
          What is engraved cannot be changed any more. What a card opens can, at any time: choose it among your cards.
        </Aside>
        <Action href={cardsUrl}>See my cards</Action>
      </>
    ),
  }),
  it: ({ number, cards, cardsUrl }) => ({
    subject: cards === 1 ? "Stiamo incidendo la tua carta" : "Stiamo incidendo le tue carte",
    preview: "Da ora le parole incise restano come sono.",
    content: (
      <>
        <Title>{cards === 1 ? "Stiamo incidendo la tua carta" : `Stiamo incidendo ${cards} carte`}</Title>
        <Paragraph>
          {cards === 1 ? "La carta" : "Le carte"} del tuo ordine {number} {cards === 1 ? "è" : "sono"} ora
          dall’incisore. Ti scriviamo di nuovo appena {cards === 1 ? "parte" : "partono"}.
        </Paragraph>
        <Aside>
          Ciò che è inciso non si può più cambiare. Ciò che una carta apre sì, in ogni momento: sceglilo tra le tue
          carte.
        </Aside>
        <Action href={cardsUrl}>Vedi le mie carte</Action>
      </>
    ),
  }),
};

export const cardsSent: Template<EmailProps["cards-sent"]> = {
  en: ({ number, cards, cardsUrl, ...parcel }) => ({
    subject: cards === 1 ? "Your card is on its way" : "Your cards are on their way",
    preview: `Order ${number} has been sent.`,
    content: (
      <>
        <Title>{cards === 1 ? "Your card is on its way" : `${cards} cards are on their way`}</Title>
        <Paragraph>
          We have sent {cards === 1 ? "the card" : "the cards"} of your order {number} to the address you gave us.
        </Paragraph>
        <Parcel {...parcel} words={{ with: "With", number: "Tracking number", follow: "Follow the parcel" }} />
        <Aside>
          In the pack of a card that opens nothing yet there is a slip with a secret. Whoever has it can claim the card,
          so please keep it until you or whom you give it to have done that.
        </Aside>
        <Action href={cardsUrl}>See my cards</Action>
      </>
    ),
  }),
  it: ({ number, cards, cardsUrl, ...parcel }) => ({
    subject: cards === 1 ? "La tua carta è in viaggio" : "Le tue carte sono in viaggio",
    preview: `L’ordine ${number} è partito.`,
    content: (
      <>
        <Title>{cards === 1 ? "La tua carta è in viaggio" : `${cards} carte sono in viaggio`}</Title>
        <Paragraph>
          Abbiamo spedito {cards === 1 ? "la carta" : "le carte"} del tuo ordine {number} all’indirizzo che ci hai dato.
        </Paragraph>
        <Parcel {...parcel} words={{ with: "Con", number: "Numero di spedizione", follow: "Segui il pacco" }} />
        <Aside>
          Nella confezione di una carta che ancora non apre nulla c’è un biglietto con un segreto. Chi lo ha può fare
          sua la carta: conservalo finché non l’avete fatto tu o la persona a cui la doni.
        </Aside>
        <Action href={cardsUrl}>Vedi le mie carte</Action>
      </>
    ),
  }),
};

type ParcelProps = Pick<EmailProps["cards-sent"], "carrier" | "trackingNumber" | "trackingUrl"> & {
  words: { with: string; number: string; follow: string };
};

/** Who brings it and how it is followed, of which any part may be unknown. */
function Parcel({ carrier, trackingNumber, trackingUrl, words }: ParcelProps) {
  const facts = [carrier && `${words.with} ${carrier}`, trackingNumber && `${words.number} ${trackingNumber}`].filter(
    Boolean,
  );
  return (
    <>
      {facts.length > 0 && <Paragraph>{facts.join(" · ")}</Paragraph>}
      {trackingUrl && <Action href={trackingUrl}>{words.follow}</Action>}
    </>
  );
}
