import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps, Notice } from "./email-props.ts";
import { type Language, momentOf } from "./language.ts";
import type { Template } from "./template.ts";

export const newSignIn: Template<EmailProps["new-sign-in"]> = {
  en: ({ at, device, profileUrl }, timeZone) => ({
    subject: "New sign-in to your account",
    preview: "Someone signed in to your Skies account on a new device.",
    content: (
      <>
        <Title>New sign-in to your account</Title>
        <Paragraph>
          Someone signed in to your Skies account on {momentOf(at, "en", timeZone)} with <strong>{device}</strong>.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, device, profileUrl }, timeZone) => ({
    subject: "Nuovo accesso al tuo account",
    preview: "Il tuo account Skies è stato aperto su un altro dispositivo.",
    content: (
      <>
        <Title>C'è un nuovo dispositivo</Title>
        <Paragraph>
          Qualcuno è entrato nel tuo account Skies ({momentOf(at, "it", timeZone)}) con <strong>{device}</strong>.
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

export const passwordChanged: Template<EmailProps["password-changed"]> = {
  en: ({ at, profileUrl }, timeZone) => ({
    subject: "Your password was changed",
    preview: "Your Skies account has a new password.",
    content: (
      <>
        <Title>Your password was changed</Title>
        <Paragraph>
          The password for your Skies account was changed on {momentOf(at, "en", timeZone)}. Other devices have been
          signed out.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, profileUrl }, timeZone) => ({
    subject: "La tua password è stata cambiata",
    preview: "Il tuo account Skies ha una nuova password.",
    content: (
      <>
        <Title>La tua password è stata cambiata</Title>
        <Paragraph>
          La password del tuo account Skies è stata cambiata ({momentOf(at, "it", timeZone)}). Gli altri dispositivi
          sono stati disconnessi.
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

const factors = {
  en: { totp: "an authenticator app", phone: "a phone number" },
  it: { totp: "un'app di autenticazione", phone: "un numero di telefono" },
};

export const factorAdded: Template<EmailProps["factor-added"]> = {
  en: ({ at, factor, profileUrl }, timeZone) => ({
    subject: "Two-step verification was added to your account",
    preview: "Your Skies account is better protected.",
    content: (
      <>
        <Title>Two-step verification</Title>
        <Paragraph>
          On {momentOf(at, "en", timeZone)}, {factors.en[factor]} was added to your Skies account for two-step
          verification.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, factor, profileUrl }, timeZone) => ({
    subject: "Verifica in due passaggi per il tuo account",
    preview: "Il tuo account Skies è più protetto.",
    content: (
      <>
        <Title>Verifica in due passaggi</Title>
        <Paragraph>
          Per il tuo account Skies è stata attivata la verifica in due passaggi con {factors.it[factor]} (
          {momentOf(at, "it", timeZone)}).
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

export const factorRemoved: Template<EmailProps["factor-removed"]> = {
  en: ({ at, factor, profileUrl }, timeZone) => ({
    subject: "A verification method was removed from your account",
    preview: "Your Skies account has one verification method less.",
    content: (
      <>
        <Title>Verification method removed</Title>
        <Paragraph>
          On {momentOf(at, "en", timeZone)}, {factors.en[factor]} was removed from your Skies account and is no longer
          used for two-step verification.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, factor, profileUrl }, timeZone) => ({
    subject: "Un metodo di verifica è stato rimosso",
    preview: "Il tuo account Skies ha un metodo di verifica in meno.",
    content: (
      <>
        <Title>Metodo di verifica rimosso</Title>
        <Paragraph>
          Dal tuo account Skies è stata rimossa la verifica in due passaggi con {factors.it[factor]} (
          {momentOf(at, "it", timeZone)}
          ).
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

const texts = {
  en: {
    advice:
      "If this was you, there is nothing to do. If not, change your password now and sign out any device you do not recognise. Your memories are safe.",
    action: "Check my account",
  },
  it: {
    advice:
      "Se eri tu, va tutto bene. Altrimenti cambia subito la password e disconnetti i dispositivi che non conosci. I tuoi ricordi sono ancora lì.",
    action: "Controlla il mio account",
  },
} satisfies Record<Language, object>;

/** End of a security email: advice if the recipient did not cause the event, and a link to the account's settings. */
const WasItYou = ({ language, profileUrl }: Pick<Notice, "profileUrl"> & { language: Language }) => (
  <>
    <Aside>{texts[language].advice}</Aside>
    <Action href={profileUrl}>{texts[language].action}</Action>
  </>
);
