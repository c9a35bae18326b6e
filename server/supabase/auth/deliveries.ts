import { typedAddress } from "../../../shared/typed-address.ts";
import type { Transaction } from "../../database/database.ts";
import { type Account, nameOf } from "./account.ts";
import type { AuthContext } from "./context.ts";
import { openFlow } from "./flow-state.ts";
import type { Device } from "./grant.ts";
import type { MessageRequest } from "./message-request.ts";
import type { Reader } from "./messages.ts";
import { issueToken, type SentToken } from "./one-time-tokens.ts";
import { withParameters } from "./redirects.ts";

/** Purposes of a message that signs its recipient in, under their names in links and requests. */
export type Purpose = "signup" | "invite" | "magiclink" | "recovery";

const SIGN_IN = {
  signup: { template: "confirm-address", type: "confirmation_token" },
  invite: { template: "confirm-address", type: "confirmation_token" },
  magiclink: { template: "magic-link", type: "recovery_token" },
  recovery: { template: "recovery", type: "recovery_token" },
} as const;

/** Lifetimes in minutes. Texted codes expire sooner, because people who type one have the device beside them. */
const MAILED = 60;
const TEXTED = 10;

/** Creates a token that signs in and confirms the address, for a link that this server or another one emails. */
export async function signInToken(
  auth: AuthContext,
  tx: Transaction,
  account: Account,
  purpose: Purpose,
  message: Pick<MessageRequest, "challenge">,
): Promise<SentToken> {
  const { type } = SIGN_IN[purpose];
  const byMail = account.email !== null;
  const token = await issueToken(tx, auth.codeSecret, {
    type,
    userId: account.id,
    relatesTo: account.email === null ? (account.phone ?? "") : typedAddress(account.email),
    minutes: byMail ? MAILED : TEXTED,
    flow: byMail ? await flowOf(tx, account, message) : undefined,
  });
  await stamp(tx, account.id, type === "confirmation_token" ? "confirmation_sent_at" : "recovery_sent_at");
  return token;
}

/** Sends an account a way to sign in: a link and a code by email, or a code by SMS if it has no email address. */
export async function sendSignIn(
  auth: AuthContext,
  tx: Transaction,
  account: Account,
  purpose: Purpose,
  message: MessageRequest,
) {
  const token = await signInToken(auth, tx, account, purpose, message);
  if (account.email === null) return textCode(auth, tx, account, account.phone ?? "", token, message.device);
  const props = { ...onceOf(auth, token, purpose, message.redirectTo), name: nameOf(account) };
  const addressed = { to: account.email, reader: readerOf(account, message.device), expiresAt: token.expiresAt };
  await auth.messages.mail(tx, { ...addressed, template: SIGN_IN[purpose].template, props });
}

/** Emails both addresses of a change a confirmation link; the new address only if it is not `taken`. */
export async function sendEmailChange(
  auth: AuthContext,
  tx: Transaction,
  account: Account,
  { taken, message }: { taken: boolean; message: MessageRequest },
) {
  const newAddress = account.email_change;
  const parts = [
    { to: account.email, type: "email_change_token_current", template: "email-change-current" },
    { to: taken ? null : newAddress, type: "email_change_token_new", template: "email-change-new" },
  ] as const;
  for (const { to, type, template } of parts) {
    if (to === null) continue;
    const token = await issueToken(tx, auth.codeSecret, {
      type,
      userId: account.id,
      relatesTo: to.toLowerCase(),
      minutes: MAILED,
      flow: await flowOf(tx, account, message),
    });
    const props = { ...onceOf(auth, token, "email_change", message.redirectTo), newAddress };
    const addressed = { to, reader: readerOf(account, message.device), expiresAt: token.expiresAt };
    await auth.messages.mail(tx, { ...addressed, template, props });
  }
}

/** Texts a code to an account's new number. */
export async function sendPhoneChange(auth: AuthContext, tx: Transaction, account: Account, device: Device) {
  const to = account.phone_change;
  const type = "phone_change_token";
  const token = await issueToken(tx, auth.codeSecret, { type, userId: account.id, relatesTo: to, minutes: TEXTED });
  await textCode(auth, tx, account, to, token, device);
}

/** Sends a code for a signed-in person to confirm their identity. */
export async function sendReauthentication(auth: AuthContext, tx: Transaction, account: Account, device: Device) {
  const to = account.email ?? account.phone ?? "";
  const type = "reauthentication_token";
  const token = await issueToken(tx, auth.codeSecret, { type, userId: account.id, relatesTo: to, minutes: TEXTED });
  await stamp(tx, account.id, "reauthentication_sent_at");
  if (account.email === null) return textCode(auth, tx, account, to, token, device);
  const { code, minutes, expiresAt } = token;
  const reader = readerOf(account, device);
  await auth.messages.mail(tx, { to, reader, expiresAt, template: "reauthentication", props: { code, minutes } });
}

/** Sends the welcome email for a new account. */
export async function sendWelcome(auth: AuthContext, tx: Transaction, account: Account, device: Device) {
  if (account.email === null) return;
  const reader = readerOf(account, device);
  await auth.messages.mail(tx, { to: account.email, reader, template: "welcome", props: { name: nameOf(account) } });
}

/** Returns the URL of an emailed link. It leads to this server, which redirects to `redirectTo`. */
export const linkUrl = (auth: AuthContext, token: SentToken, type: Purpose | "email_change", redirectTo: string) =>
  withParameters(`${auth.url}/verify`, { token: token.link, type, redirect_to: redirectTo });

export const readerOf = (account: Account, device: Device): Reader => ({
  chosen: account.raw_user_meta_data.language,
  accepted: device.languages,
});

function onceOf(auth: AuthContext, token: SentToken, type: Purpose | "email_change", redirectTo: string) {
  return { url: linkUrl(auth, token, type, redirectTo), code: token.code, minutes: token.minutes };
}

async function flowOf(tx: Transaction, account: Account, { challenge }: Pick<MessageRequest, "challenge">) {
  if (!challenge) return undefined;
  return openFlow(tx, { ...challenge, userId: account.id, provider: "email", authenticationMethod: "otp" });
}

async function textCode(
  auth: AuthContext,
  tx: Transaction,
  account: Account,
  to: string,
  token: SentToken,
  from: Device,
) {
  const { code, minutes, expiresAt } = token;
  await auth.messages.sms(tx, { to, reader: readerOf(account, from), expiresAt, props: { code, minutes } });
}

const stamp = (tx: Transaction, userId: string, column: `${string}_sent_at`) =>
  tx.query(`update auth.users set ${column} = now() where id = $1`, [userId]);
