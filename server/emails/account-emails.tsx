import type { ReactNode } from "react";
import { isolated } from "../../shared/isolated.ts";
import { Action, Aside, Code, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps, OneTime } from "./email-props.ts";
import type { Language } from "./language.ts";
import type { Template } from "./template.ts";

// A change of address must be confirmed from both addresses, the current and the new one.

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

export const confirmAddress: Template<EmailProps["confirm-address"]> = {
  en: ({ name, ...once }) => ({
    subject: "Confirm your email address",
    preview: "One step, and your Skies account is ready.",
    content: (
      <>
        <Title>{name ? `One more step, ${isolated(name)}` : "One more step"}</Title>
        <Paragraph>
          A Skies account was created with this address. Confirm that the address is yours, and your account is ready.
        </Paragraph>
        <OpenOnce language="en" label="Confirm my address" {...once}>
          If this was not you, you can ignore this email. Without this step the account cannot be used.
        </OpenOnce>
      </>
    ),
  }),
  it: ({ name, ...once }) => ({
    subject: "Conferma il tuo indirizzo email",
    preview: "Un solo passo e il tuo account Skies è pronto.",
    content: (
      <>
        <Title>{name ? `Manca un passo, ${isolated(name)}` : "Manca un passo"}</Title>
        <Paragraph>
          Con questo indirizzo è stato creato un account Skies. Conferma che è tuo e l'account sarà pronto.
        </Paragraph>
        <OpenOnce language="it" label="Conferma l'indirizzo" {...once}>
          Se la richiesta non è tua, non devi fare nulla: senza questo passo l'account resta chiuso.
        </OpenOnce>
      </>
    ),
  }),
};

export const magicLink: Template<EmailProps["magic-link"]> = {
  en: (once) => ({
    subject: "Your link to sign in to Skies",
    preview: "Sign in without a password.",
    content: (
      <>
        <Title>Sign in to Skies</Title>
        <Paragraph>Here is the link you asked for. It signs you in without a password.</Paragraph>
        <OpenOnce language="en" label="Sign in" {...once}>
          If you did not ask for this, you can ignore it: nobody can sign in without this email.
        </OpenOnce>
      </>
    ),
  }),
  it: (once) => ({
    subject: "Il tuo link per accedere a Skies",
    preview: "Accedi senza password.",
    content: (
      <>
        <Title>Accedi a Skies</Title>
        <Paragraph>Ecco il link che hai chiesto: ti fa entrare senza password.</Paragraph>
        <OpenOnce language="it" label="Accedi" {...once}>
          Se la richiesta non è tua, lascia perdere questo messaggio: nessuno può entrare senza.
        </OpenOnce>
      </>
    ),
  }),
};

export const recovery: Template<EmailProps["recovery"]> = {
  en: (once) => ({
    subject: "Choose a new password",
    preview: "Your memories are safe. Choose a new password to get back to them.",
    content: (
      <>
        <Title>Choose a new password</Title>
        <Paragraph>
          It happens to everyone. Nothing in your account has changed; choose a new password to sign in again.
        </Paragraph>
        <OpenOnce language="en" label="Choose a new password" {...once}>
          If you did not ask for this, you can ignore this email: your password stays the same.
        </OpenOnce>
      </>
    ),
  }),
  it: (once) => ({
    subject: "Scegli una nuova password",
    preview: "I tuoi ricordi sono al sicuro. Scegli una nuova password per ritrovarli.",
    content: (
      <>
        <Title>Scegli una nuova password</Title>
        <Paragraph>
          Capita di dimenticare la password. Nel tuo account è tutto come l'hai lasciato: scegline una nuova per
          rientrare.
        </Paragraph>
        <OpenOnce language="it" label="Scegli una nuova password" {...once}>
          Se la richiesta non è tua, lascia perdere questo messaggio: la tua password resta quella di prima.
        </OpenOnce>
      </>
    ),
  }),
};

export const reauthentication: Template<EmailProps["reauthentication"]> = {
  en: ({ code, minutes }) => ({
    subject: "Your code for Skies",
    preview: "Confirm that it is you.",
    content: (
      <>
        <Title>Is it you?</Title>
        <Paragraph>You are about to change how you sign in. Enter this code to confirm that it is you:</Paragraph>
        <Code>{code}</Code>
        <Aside>
          It works once, for {minutes} minutes. If this was not you, do not share the code, and change your password:
          someone else is signed in to your account.
        </Aside>
      </>
    ),
  }),
  it: ({ code, minutes }) => ({
    subject: "Il tuo codice per Skies",
    preview: "Conferma che sei tu.",
    content: (
      <>
        <Title>Sei tu?</Title>
        <Paragraph>
          Stai per cambiare il modo in cui accedi. Inserisci questo codice per confermare che sei tu:
        </Paragraph>
        <Code>{code}</Code>
        <Aside>
          Vale una sola volta, per {minutes} minuti. Se non sei tu, non dare il codice a nessuno e cambia la password:
          qualcuno è entrato nel tuo account.
        </Aside>
      </>
    ),
  }),
};

type Texts = Record<Language, { orType: string; limits(minutes: number): string }>;

const texts: Texts = {
  en: {
    orType: "Or enter this code on the page you came from:",
    limits: (minutes) => `The link and the code work once, for ${minutes} minutes.`,
  },
  it: {
    orType: "Oppure inserisci questo codice nella pagina da cui arrivi:",
    limits: (minutes) => `Il link e il codice valgono una sola volta, per ${minutes} minuti.`,
  },
};

interface OpenOnceProps extends OneTime {
  language: Language;
  /** Text of the button, which names its action. */
  label: string;
  /** Advice for a recipient who did not request the email. */
  children: ReactNode;
}

/** One-time link and code, their lifetime, and advice for a recipient who did not request them. */
const OpenOnce = ({ language, label, url, code, minutes, children }: OpenOnceProps) => (
  <>
    <Action href={url}>{label}</Action>
    <Paragraph>{texts[language].orType}</Paragraph>
    <Code>{code}</Code>
    <Aside>
      {texts[language].limits(minutes)} {children}
    </Aside>
  </>
);
