import { CONTACT_SUBJECT, type ContactFields } from "../../../shared/email.ts";
import { escapeHtml } from "../../../shared/escape-html.ts";
import { config } from "../../lib/browser/config.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Sends a message of the contact form to the product's own address (Spec §7); rejects with a `FunctionRefusal`. */
export async function sendMessage(fields: ContactFields, captchaToken: string | undefined): Promise<void> {
  const { name, email, subject, message } = fields;
  const paragraphs = message.split(/\n{2,}/).map((text) => `<p>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`);
  await callFunction("send-email", {
    toEmail: config().infoEmail,
    subject: CONTACT_SUBJECT + subject,
    message: paragraphs.join(""),
    contact: { name, email, captchaToken },
  });
}
