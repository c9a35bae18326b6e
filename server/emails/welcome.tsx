import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";

/** To everybody who has opened an account (Spec §4, §7). */
export const welcome: Template<EmailProps["welcome"]> = {
  en: ({ name, startUrl }) => ({
    subject: "Welcome to Skies",
    preview: "Your private place for the people and days you hold dear.",
    content: (
      <>
        <Title>{name ? `Welcome, ${name}` : "Welcome"}</Title>
        <Paragraph>
          Skies is a private place for the photos, videos and stories of the people and days you hold dear. Nobody sees
          a memory unless you share it with them.
        </Paragraph>
        {/* Spec §1: the free plan's dedicated storage, as the welcome email states. */}
        <Paragraph>
          Your account comes with 1 GB of dedicated storage. It is free, it does not expire, and no card is needed.
        </Paragraph>
        <Paragraph>
          Start with one memory: a person, or a day. Add a few photos from your phone or computer. When you are ready,
          share it by a private link or a QR code, with a PIN if you like.
        </Paragraph>
        <Action href={startUrl}>Create your first memory</Action>
        <Aside>There is no hurry. Your drafts are saved, and you can come back to them whenever you like.</Aside>
      </>
    ),
  }),
  it: ({ name, startUrl }) => ({
    subject: "Ti diamo il benvenuto su Skies",
    preview: "Un luogo privato per le persone e i giorni che ti stanno a cuore.",
    content: (
      <>
        <Title>{name ? `Ciao ${name}, ti diamo il benvenuto` : "Ti diamo il benvenuto"}</Title>
        <Paragraph>
          Skies è un luogo privato per le foto, i video e le storie delle persone e dei giorni che ti stanno a cuore.
          Nessuno vede un ricordo se non lo condividi tu.
        </Paragraph>
        <Paragraph>
          Il tuo account comprende 1 GB di spazio dedicato: è gratuito, non scade e non serve una carta di pagamento.
        </Paragraph>
        <Paragraph>
          Comincia da un ricordo: una persona, oppure un giorno. Aggiungi qualche foto dal telefono o dal computer.
          Quando vorrai, condividilo con un link privato o un codice QR, anche protetto da un PIN.
        </Paragraph>
        <Action href={startUrl}>Crea il tuo primo ricordo</Action>
        <Aside>Non c'è fretta: tutto quello che inizi resta al suo posto, e puoi riprenderlo quando vuoi.</Aside>
      </>
    ),
  }),
};
