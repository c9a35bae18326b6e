import { RequestError } from "../shared/request-error.ts";
import { greetingName, languageOf } from "./emails/language.ts";
import { enqueueMail, enqueueSms } from "./jobs/outbox.ts";
import type { Messages } from "./supabase/auth/messages.ts";

interface MessageSettings {
  publicUrl: string;
  /** Gets a hidden copy of each welcome email (Spec §7). */
  welcomeCopyTo: string;
}

/** Implements the messages of auth with the product's emails; each is enqueued by the transaction that causes it. */
export const messages = ({ publicUrl, welcomeCopyTo }: MessageSettings): Messages => ({
  async mail(tx, { to, reader, expiresAt, ...email }) {
    const envelope = { to, language: languageOf(reader.chosen, reader.accepted), expiresAt };
    const profileUrl = `${publicUrl}/profile`;
    switch (email.template) {
      case "welcome": {
        const props = { name: greetingName(email.props.name), startUrl: `${publicUrl}/memory/new` };
        return enqueueMail(tx, { ...envelope, bcc: welcomeCopyTo, template: "welcome", props }).catch(unlessRefused);
      }
      case "confirm-address": {
        const props = { ...email.props, name: greetingName(email.props.name) };
        return enqueueMail(tx, { ...envelope, template: "confirm-address", props });
      }
      case "new-sign-in":
        return enqueueMail(tx, { ...envelope, template: "new-sign-in", props: { ...email.props, profileUrl } }).catch(
          unlessRefused,
        );
      case "password-changed":
        return enqueueMail(tx, {
          ...envelope,
          template: "password-changed",
          props: { ...email.props, profileUrl },
        }).catch(unlessRefused);
      case "factor-added":
      case "factor-removed":
        return enqueueMail(tx, { ...envelope, template: email.template, props: { ...email.props, profileUrl } });
      default:
        return enqueueMail(tx, { ...envelope, ...email });
    }
  },

  async sms(tx, { to, reader, expiresAt, props }) {
    const language = languageOf(reader.chosen, reader.accepted);
    return enqueueSms(tx, { to: `+${to}`, language, expiresAt, template: "phone-code", props });
  },
});

/** An address that cannot receive email must not fail the request that causes one (Spec §4). */
function unlessRefused(error: unknown) {
  if (!(error instanceof RequestError)) throw error;
}
