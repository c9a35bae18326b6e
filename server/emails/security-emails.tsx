import { Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";
import { moment, WasItYou } from "./WasItYou.tsx";

export const newSignIn: Template<EmailProps["new-sign-in"]> = {
  en: ({ at, device, profileUrl }) => ({
    subject: "New sign-in to your account",
    preview: "Your Skies account was opened on another device.",
    content: (
      <>
        <Title>A new device is signed in</Title>
        <Paragraph>
          Your Skies account was opened on {moment(at, "en")} with <strong>{device}</strong>.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, device, profileUrl }) => ({
    subject: "Nuovo accesso al tuo account",
    preview: "Il tuo account Skies è stato aperto su un altro dispositivo.",
    content: (
      <>
        <Title>C'è un nuovo dispositivo</Title>
        <Paragraph>
          Qualcuno è entrato nel tuo account Skies ({moment(at, "it")}) con <strong>{device}</strong>.
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

export const passwordChanged: Template<EmailProps["password-changed"]> = {
  en: ({ at, profileUrl }) => ({
    subject: "Your password was changed",
    preview: "Your Skies account has a new password.",
    content: (
      <>
        <Title>Your password was changed</Title>
        <Paragraph>
          The password of your Skies account was changed on {moment(at, "en")}. Other devices have been signed out.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, profileUrl }) => ({
    subject: "La tua password è stata cambiata",
    preview: "Il tuo account Skies ha una nuova password.",
    content: (
      <>
        <Title>La tua password è stata cambiata</Title>
        <Paragraph>
          La password del tuo account Skies è stata cambiata ({moment(at, "it")}). Gli altri dispositivi sono stati
          disconnessi.
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
  en: ({ at, factor, profileUrl }) => ({
    subject: "A second step was added to your sign-in",
    preview: "Your Skies account is better protected.",
    content: (
      <>
        <Title>A second step at sign-in</Title>
        <Paragraph>
          On {moment(at, "en")}, {factors.en[factor]} was added as a second step when you sign in to Skies.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, factor, profileUrl }) => ({
    subject: "Un secondo passaggio per accedere",
    preview: "Il tuo account Skies è più protetto.",
    content: (
      <>
        <Title>Un secondo passaggio per accedere</Title>
        <Paragraph>
          Al tuo account Skies è stato aggiunto un secondo passaggio per l'accesso, con {factors.it[factor]} (
          {moment(at, "it")}).
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};

export const factorRemoved: Template<EmailProps["factor-removed"]> = {
  en: ({ at, factor, profileUrl }) => ({
    subject: "A second step was removed from your sign-in",
    preview: "Signing in to your Skies account asks for one step less.",
    content: (
      <>
        <Title>One step less at sign-in</Title>
        <Paragraph>
          On {moment(at, "en")}, {factors.en[factor]} was removed as a second step when you sign in to Skies.
        </Paragraph>
        <WasItYou language="en" profileUrl={profileUrl} />
      </>
    ),
  }),
  it: ({ at, factor, profileUrl }) => ({
    subject: "Un passaggio in meno per accedere",
    preview: "L'accesso al tuo account Skies chiede un passaggio in meno.",
    content: (
      <>
        <Title>Un passaggio in meno per accedere</Title>
        <Paragraph>
          Dal tuo account Skies è stato tolto il secondo passaggio con {factors.it[factor]} ({moment(at, "it")}).
        </Paragraph>
        <WasItYou language="it" profileUrl={profileUrl} />
      </>
    ),
  }),
};
