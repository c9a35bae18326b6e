import { render, toPlainText } from "react-email";
import { isolated } from "../../shared/isolated.ts";
import {
  confirmAddress,
  emailChangeCurrent,
  emailChangeNew,
  magicLink,
  reauthentication,
  recovery,
} from "./account-emails.tsx";
import { cardsEngraved, cardsSent } from "./card-emails.tsx";
import { dayReminder } from "./day-reminder.tsx";
import { EmailLayout } from "./EmailLayout.tsx";
import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailName, EmailProps } from "./email-props.ts";
import { guestReceipt } from "./guest-receipt.tsx";
import type { Language } from "./language.ts";
import { note } from "./note.tsx";
import { notices, reminder } from "./notice-emails.tsx";
import { orderDisputed, orderRefunded, paymentFailed } from "./order-emails.tsx";
import { fileLost, linkLocked, planEnding, storageWarning } from "./plan-emails.tsx";
import { receipt } from "./receipt.tsx";
import { contentReported } from "./report-emails.tsx";
import { factorAdded, factorRemoved, newSignIn, passwordChanged } from "./security-emails.tsx";
import type { Template } from "./template.ts";

/** To each new account (Spec §4, §7). */
export const welcome: Template<EmailProps["welcome"]> = {
  en: ({ name, startUrl }) => ({
    subject: "Welcome to Skies",
    preview: "Your private place for the people and days you hold dear.",
    content: (
      <>
        <Title>{name ? `Welcome, ${isolated(name)}` : "Welcome"}</Title>
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
        <Title>{name ? `Ciao ${isolated(name)}, ti diamo il benvenuto` : "Ti diamo il benvenuto"}</Title>
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

/** The table of contents: every email by name. */
const templates: { [Name in EmailName]: Template<EmailProps[Name]> } = {
  "confirm-address": confirmAddress,
  welcome,
  "magic-link": magicLink,
  recovery,
  "email-change-current": emailChangeCurrent,
  "email-change-new": emailChangeNew,
  reauthentication,
  "new-sign-in": newSignIn,
  "password-changed": passwordChanged,
  "factor-added": factorAdded,
  "factor-removed": factorRemoved,
  "cards-engraved": cardsEngraved,
  "cards-sent": cardsSent,
  "guest-receipt": guestReceipt,
  "day-reminder": dayReminder,
  notices,
  reminder,
  "link-locked": linkLocked,
  "storage-warning": storageWarning,
  "file-lost": fileLost,
  "plan-ending": planEnding,
  receipt,
  "order-refunded": orderRefunded,
  "order-disputed": orderDisputed,
  "payment-failed": paymentFailed,
  "content-reported": contentReported,
  note,
};

export const isEmailName = (name: string): name is EmailName => Object.hasOwn(templates, name);

interface RenderedEmail {
  subject: string;
  html: string;
  /** The plain text, in lines of at most 78 characters; longer links are not broken. */
  text: string;
}

/** Optional parts of an email beside its content. */
interface Around {
  /** URL that unsubscribes from such emails, linked in the footer. */
  unsubscribeUrl?: string | undefined;
  /** Content id of the attached picture. */
  picture?: string | undefined;
  /** The recipient's time zone, an IANA name. */
  timeZone?: string | undefined;
}

/** Renders one email as HTML and as plain text. */
export async function renderEmail<Name extends EmailName>(
  name: Name,
  language: Language,
  props: EmailProps[Name],
  { timeZone, ...around }: Around = {},
): Promise<RenderedEmail> {
  const { subject, preview, content, why } = templates[name][language](props, timeZone);
  const html = await render(
    <EmailLayout language={language} title={subject} preview={preview} why={why} {...around}>
      {content}
    </EmailLayout>,
  );
  const text = toPlainText(html, {
    wordwrap: 78,
    selectors: [
      // By default, headings are converted to capitals.
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false } },
      { selector: "hr", format: "skip" },
    ],
  });
  return { subject, html, text };
}
