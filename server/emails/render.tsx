import { render, toPlainText } from "react-email";
import { emailChangeCurrent, emailChangeNew } from "./address-emails.tsx";
import { cardsEngraved, cardsSent } from "./card-emails.tsx";
import { EmailLayout } from "./EmailLayout.tsx";
import type { EmailName, EmailProps } from "./email-props.ts";
import { guestReceipt } from "./guest-receipt.tsx";
import type { Language } from "./language.ts";
import { note } from "./note.tsx";
import { notices, reminder } from "./notice-emails.tsx";
import { orderDisputed, orderRefunded, paymentFailed } from "./order-emails.tsx";
import { planEnding } from "./plan-emails.tsx";
import { receipt } from "./receipt.tsx";
import { factorAdded, factorRemoved, newSignIn, passwordChanged } from "./security-emails.tsx";
import { confirmAddress, magicLink, reauthentication, recovery } from "./sign-in-emails.tsx";
import type { Template } from "./template.ts";
import { linkLocked, storageWarning } from "./warning-emails.tsx";
import { welcome } from "./welcome.tsx";

/** The table of contents: every letter by name. */
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
  notices,
  reminder,
  "link-locked": linkLocked,
  "storage-warning": storageWarning,
  "plan-ending": planEnding,
  receipt,
  "order-refunded": orderRefunded,
  "order-disputed": orderDisputed,
  "payment-failed": paymentFailed,
  note,
};

export const isEmailName = (name: string): name is EmailName => Object.hasOwn(templates, name);

export interface RenderedEmail {
  subject: string;
  html: string;
  /** The same for readers of plain text, lines of at most 78 characters but for links. */
  text: string;
}

/** What a letter may have beside its own words. */
interface Around {
  /** Where its reader ends such letters, which its foot then says. */
  unsubscribeUrl?: string | undefined;
  /** The content id of the picture that goes with it. */
  picture?: string | undefined;
}

/** Writes one letter. */
export async function renderEmail<Name extends EmailName>(
  name: Name,
  language: Language,
  props: EmailProps[Name],
  around: Around = {},
): Promise<RenderedEmail> {
  const { subject, preview, content, why } = templates[name][language](props);
  const html = await render(
    <EmailLayout language={language} title={subject} preview={preview} why={why} {...around}>
      {content}
    </EmailLayout>,
  );
  const text = toPlainText(html, {
    wordwrap: 78,
    selectors: [
      // Capitals shout.
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false } },
      { selector: "hr", format: "skip" },
    ],
  });
  return { subject, html, text };
}
