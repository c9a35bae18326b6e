import { Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { OpenOnce } from "./OpenOnce.tsx";
import type { Template } from "./template.ts";

// A change of address needs a yes from both: the address it is now, and the one it is to be.

export const emailChangeCurrent: Template<EmailProps["email-change-current"]> = {
  en: ({ newAddress, ...once }) => ({
    subject: "Your email address is about to change",
    preview: "Confirm the change from this address too.",
    content: (
      <>
        <Title>A new email address for your account</Title>
        <Paragraph>
          You asked to use <strong>{newAddress}</strong> for your Skies account instead of this address. The change
          takes effect once you have confirmed it from both addresses.
        </Paragraph>
        <OpenOnce language="en" label="Confirm the change" {...once}>
          If you did not ask for this, do not open the link: nothing changes without it. Then change your password,
          because someone else may know it.
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
          Someone asked to use <strong>{newAddress}</strong> for a Skies account. Please confirm that this address is
          yours.
        </Paragraph>
        <OpenOnce language="en" label="Confirm my new address" {...once}>
          If you did not ask for this, you can ignore this email. Nothing changes.
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
          Qualcuno ha chiesto di usare <strong>{newAddress}</strong> per un account Skies. Conferma che l'indirizzo è
          tuo.
        </Paragraph>
        <OpenOnce language="it" label="Conferma il nuovo indirizzo" {...once}>
          Se la richiesta non è tua, non devi fare nulla: senza questo passo non cambia niente.
        </OpenOnce>
      </>
    ),
  }),
};
