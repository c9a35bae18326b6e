import { Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { OpenOnce } from "./OpenOnce.tsx";
import type { Template } from "./template.ts";

// A change of address needs a yes from both: the address it is now, and the one it is to be.

export const emailChangeCurrent: Template<EmailProps["email-change-current"]> = {
  en: ({ newAddress, ...once }) => ({
    subject: "Your email address is about to change",
    preview: "Say yes from here as well, and the change is made.",
    content: (
      <>
        <Title>A new email address for your account</Title>
        <Paragraph>
          You asked to use <strong>{newAddress}</strong> for your Skies account instead of this address. The change is
          made once it is confirmed from both.
        </Paragraph>
        <OpenOnce language="en" label="Confirm the change" {...once}>
          If you did not ask for it, do not follow the link: nothing changes without it. Then change your password, as
          somebody may know it.
        </OpenOnce>
      </>
    ),
  }),
  it: ({ newAddress, ...once }) => ({
    subject: "Il tuo indirizzo email sta per cambiare",
    preview: "Conferma anche da qui e il cambio sarà fatto.",
    content: (
      <>
        <Title>Un nuovo indirizzo email per il tuo account</Title>
        <Paragraph>
          Hai chiesto di usare <strong>{newAddress}</strong> per il tuo account Skies al posto di questo indirizzo. Il
          cambio avviene quando è confermato da entrambi.
        </Paragraph>
        <OpenOnce language="it" label="Conferma il cambio" {...once}>
          Se la richiesta non è tua, non aprire il link: senza, non cambia nulla. Poi cambia la password, perché
          qualcuno potrebbe conoscerla.
        </OpenOnce>
      </>
    ),
  }),
};

export const emailChangeNew: Template<EmailProps["email-change-new"]> = {
  en: ({ newAddress, ...once }) => ({
    subject: "Confirm your new email address",
    preview: "Confirm that this address is yours.",
    content: (
      <>
        <Title>Is this your new address?</Title>
        <Paragraph>
          A Skies account is to use <strong>{newAddress}</strong> from now on. Confirm that it is yours.
        </Paragraph>
        <OpenOnce language="en" label="Confirm my new address" {...once}>
          If you did not ask for it, there is nothing to do: without this step nothing changes.
        </OpenOnce>
      </>
    ),
  }),
  it: ({ newAddress, ...once }) => ({
    subject: "Conferma il tuo nuovo indirizzo email",
    preview: "Conferma che questo indirizzo è tuo.",
    content: (
      <>
        <Title>È questo il tuo nuovo indirizzo?</Title>
        <Paragraph>
          D'ora in poi un account Skies userà <strong>{newAddress}</strong>. Conferma che è tuo.
        </Paragraph>
        <OpenOnce language="it" label="Conferma il nuovo indirizzo" {...once}>
          Se la richiesta non è tua, non devi fare nulla: senza questo passo non cambia niente.
        </OpenOnce>
      </>
    ),
  }),
};
