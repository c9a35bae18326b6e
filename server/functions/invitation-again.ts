import { normalizeIP } from "@fastify/rate-limit";
import { escapeHtml } from "../../shared/escape-html.ts";
import { InvitationAgain } from "../../shared/share.ts";
import type { Language } from "../emails/language.ts";
import { enqueueMail } from "../jobs/outbox.ts";
import { isUnsubscribed } from "../unsubscribing/unsubscribing.ts";
import { endpoint } from "./endpoint.ts";

interface Letter {
  email: string;
  token: string;
  memory: string;
  inviter: string;
  inviter_email: string;
  language: Language | null;
}

const RENEW = "select * from private.renew_invitation_email($1)";
/** Emails for one invitation in a day, so that nobody's mailbox is filled. */
const EMAILS = 3;
/** Requests of one network address in an hour. */
const REQUESTS = 30;

/**
 * POST /functions/v1/invitation-again: emails an open invitation once more, to the invited address, because its link
 * arrived incomplete. The response is the same for every share id.
 */
export const invitationAgain = endpoint(
  { ownPagesOnly: true, caller: "unidentified", body: InvitationAgain },
  async ({ db, limits, site, body: { shareId, language: readerLanguage }, address }) => {
    await limits.spend([
      { key: `invitations again from ${normalizeIP(address)}`, most: REQUESTS, seconds: 3600 },
      { key: `invitation again ${shareId}`, most: EMAILS, seconds: 86_400 },
    ]);
    await db.transaction(async (tx) => {
      const { rows } = await tx.query<Letter>(RENEW, [shareId]);
      const [letter] = rows;
      if (!letter || (await isUnsubscribed(tx, letter.email))) return;
      const language = letter.language ?? readerLanguage;
      const { subject, html } = TEXTS[language]({
        memory: letter.memory,
        inviter: letter.inviter,
        url: `${site}/shared/${shareId}#invitation=${letter.token}`,
      });
      const sender = letter.inviter_email === "" ? {} : { from: letter.inviter_email, name: letter.inviter };
      const props = { subject, html, ...sender, site, sort: "memory invitation" as const };
      await enqueueMail(tx, { template: "note", language, to: letter.email, props });
    });
    return Response.json({ success: true }, { status: 202 });
  },
);

type Words = (letter: { memory: string; inviter: string; url: string }) => { subject: string; html: string };

const paragraphs = (...parts: string[]) => parts.map((part) => `<p>${part}</p>`).join("");
const linkTo = (url: string, label: string) => `<a href="${escapeHtml(url)}">${label}</a>`;

const TEXTS: Record<Language, Words> = {
  en: ({ memory, inviter, url }) => ({
    subject: `Your invitation to “${memory}” once more`,
    html: paragraphs(
      `Here is the link again with which ${escapeHtml(inviter)} has invited you to “${escapeHtml(memory)}”.`,
      linkTo(url, "Open the memory"),
      "It opens without a PIN or an account, for 90 days. This link is personal: please do not forward it.",
      "If you did not ask for this email, you need not do anything.",
    ),
  }),
  it: ({ memory, inviter, url }) => ({
    subject: `Di nuovo il tuo invito a «${memory}»`,
    html: paragraphs(
      `Ecco di nuovo il link con cui ${escapeHtml(inviter)} ti ha invitato a «${escapeHtml(memory)}».`,
      linkTo(url, "Apri il ricordo"),
      "Si apre senza PIN e senza account, per 90 giorni. Il link è personale: non inoltrarlo, per favore.",
      "Se non hai chiesto tu questa email, non devi fare nulla.",
    ),
  }),
};
