import { z } from "zod";
import { isMailable } from "./credentials.ts";
import { bareAddress, typedAddress } from "./typed-address.ts";

/** Maximum length of an address in SMTP, in characters. */
const LONGEST_ADDRESS = 254;

const INVALID = "Invalid email format";
const address = (missing: string, read = bareAddress) =>
  z
    .string(missing)
    .transform(read)
    .pipe(z.string().min(1, missing).max(LONGEST_ADDRESS, INVALID).refine(isMailable, INVALID));

const line = (missing: string, longest: number) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(longest)
    .regex(/^\P{Cc}*$/u, "This is one line of text");

/** The sender of a contact form. The address is unconfirmed. */
const ContactSender = z.object({
  name: line("Name is required", 200),
  email: address("Email is required", typedAddress),
  captchaToken: z.string().max(2048).optional(),
});

/** The fields of the contact form. The error messages may be shown unchanged (Spec §5). */
export const ContactFields = z.object({
  name: line("Name is required", 200),
  email: address("Email is required", typedAddress),
  // Shorter than an email's subject, because a prefix is added.
  subject: line("Subject is required", 180),
  message: z.string("Message is required").trim().min(1, "Message is required").max(10_000),
});
export type ContactFields = z.infer<typeof ContactFields>;

/** Body of send-email. The error messages may be shown unchanged (Spec §5). */
export const EmailRequest = z.object(
  {
    toEmail: address("Recipient email is required"),
    subject: z
      .string("Subject is required")
      .trim()
      .min(1, "Subject is required")
      .max(200, "The subject may have up to 200 characters")
      // No control characters: a line break would end the header's line.
      .regex(/^\P{Cc}*$/u, "The subject is one line of text"),
    /** HTML. */
    message: z
      .string("Message is required")
      .trim()
      .min(1, "Message is required")
      .max(20_000, "The message may have up to 20,000 characters"),
    bcc: address(INVALID).optional(),
    inviterEmail: address("Inviter email is required").optional(),
    /** Of the frame around the message; by default the sender's. */
    language: z.enum(["en", "it"]).optional(),
    contact: ContactSender.optional(),
  },
  "The request's body is not JSON.",
);
export type EmailRequest = z.infer<typeof EmailRequest>;

/** The beginning of the subject of messages to the product's own address (Spec §7). */
export const CONTACT_SUBJECT = "Contact Form: ";

/** The result; status 202 means that it is queued and will be retried. */
export interface EmailReply {
  success: true;
  message: string;
  /** Set if the email is not sent, because the recipient has unsubscribed. */
  skipped?: true;
}
