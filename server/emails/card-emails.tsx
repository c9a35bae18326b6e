import { Action, Aside, Other, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";

export const cardsEngraved: Template<EmailProps["cards-engraved"]> = {
  en: ({ number, cards, cardsUrl }) => ({
    subject: cards === 1 ? "Your card is being engraved" : "Your cards are being engraved",
    preview: "The engraving can no longer be changed.",
    content: (
      <>
        <Title>{cards === 1 ? "Your card is being engraved" : `${cards} cards are being engraved`}</Title>
        <Paragraph>
          {cards === 1 ? "The card" : "The cards"} of your order {number} {cards === 1 ? "is" : "are"} with our engraver
          now. We will write again as soon as {cards === 1 ? "it has" : "they have"} been dispatched.
        </Paragraph>
        <Aside>
          The engraving can no longer be changed, but the memory a card opens can, at any time: choose it under “My
          cards”.
        </Aside>
        <Action href={cardsUrl}>See my cards</Action>
      </>
    ),
  }),
  it: ({ number, cards, cardsUrl }) => ({
    subject: cards === 1 ? "Stiamo incidendo la tua carta" : "Stiamo incidendo le tue carte",
    preview: "L’incisione non si può più cambiare.",
    content: (
      <>
        <Title>{cards === 1 ? "Stiamo incidendo la tua carta" : `Stiamo incidendo ${cards} carte`}</Title>
        <Paragraph>
          {cards === 1 ? "La carta" : "Le carte"} del tuo ordine {number} {cards === 1 ? "è" : "sono"} ora
          dall’incisore. Ti scriviamo di nuovo appena {cards === 1 ? "parte" : "partono"}.
        </Paragraph>
        <Aside>
          L’incisione non si può più cambiare, ma il ricordo che una carta apre sì, in ogni momento: sceglilo in «Le mie
          carte».
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
        <Parcel {...parcel} texts={{ with: "Carrier:", number: "Tracking number:", follow: "Track the parcel" }} />
        <Aside>
          If no memory has been chosen for a card yet, its pack contains a slip with an activation code. Anyone with the
          card and the code can activate the card, so please keep the slip safe until then.
        </Aside>
        {parcel.trackingUrl ? (
          <Other href={cardsUrl}>See my cards</Other>
        ) : (
          <Action href={cardsUrl}>See my cards</Action>
        )}
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
        <Parcel {...parcel} texts={{ with: "Corriere:", number: "Numero di spedizione:", follow: "Segui il pacco" }} />
        <Aside>
          Se per una carta non è ancora stato scelto un ricordo, nella confezione c’è un biglietto con un codice di
          attivazione. Chi ha la carta e il codice può attivarla: conserva bene il biglietto fino ad allora.
        </Aside>
        {parcel.trackingUrl ? (
          <Other href={cardsUrl}>Vedi le mie carte</Other>
        ) : (
          <Action href={cardsUrl}>Vedi le mie carte</Action>
        )}
      </>
    ),
  }),
};

type ParcelProps = Pick<EmailProps["cards-sent"], "carrier" | "trackingNumber" | "trackingUrl"> & {
  texts: { with: string; number: string; follow: string };
};

/** Carrier, tracking number and tracking link of a parcel. Each may be empty. */
function Parcel({ carrier, trackingNumber, trackingUrl, texts }: ParcelProps) {
  const facts = [carrier && `${texts.with} ${carrier}`, trackingNumber && `${texts.number} ${trackingNumber}`].filter(
    Boolean,
  );
  return (
    <>
      {facts.length > 0 && <Paragraph>{facts.join(" · ")}</Paragraph>}
      {trackingUrl && <Action href={trackingUrl}>{texts.follow}</Action>}
    </>
  );
}
