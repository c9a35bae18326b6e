import { USED_TOKEN } from "../../../shared/one-time-token.ts";
import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { addressOf } from "./account.ts";
import { fulfil } from "./confirm.ts";
import type { AuthContext } from "./context.ts";
import { issueAuthCode } from "./flow-state.ts";
import type { Device, Grant } from "./grant.ts";
import type { Login } from "./logins.ts";
import {
  guessCode,
  isUsedCode,
  type LinkState,
  type OneTimeToken,
  readLinkState,
  type TokenType,
  takeCode,
  takeLink,
} from "./one-time-tokens.ts";
import { openSession } from "./sessions.ts";

/** The token types for each type in a request. */
export const BY_MAIL = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  magiclink: ["recovery_token"],
  recovery: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_current", "email_change_token_new"],
} as const satisfies Record<string, TokenType[]>;

export const BY_SMS = {
  sms: ["confirmation_token", "recovery_token"],
  phone_change: ["phone_change_token"],
} as const satisfies Record<string, TokenType[]>;

/** The result: a session, a code for a PKCE client, or the first of two confirmations. */
export type Verified = { grant: Grant } | { authCode: string } | "half";

const HOUR = 3600;
/** Upper limit of wrong codes for one address in an hour, over all messages. */
const WRONG_CODES = 20;

/** Verifies a link's token. Resolves to a code if a browser `opened` a link of a PKCE flow, otherwise to a session. */
export async function followLink(
  auth: AuthContext,
  { link, types, opened }: { link: string; types: readonly TokenType[]; opened: boolean },
  device: Device,
): Promise<Verified> {
  return auth.db.transaction(async (tx) => {
    const token = await takeLink(tx, link, [...types]);
    if (!token) {
      const { state } = await readLinkState(tx, link, [...types]);
      throw new RequestError("otp_expired", { message: state === "used" ? USED_TOKEN : EXPIRED_LINK });
    }
    return finish(auth, tx, opened ? token : { ...token, flow_state_id: null }, device);
  });
}

/** What the page of a link shows before anybody uses it: a holder of the link may learn its recipient. */
export interface LinkPreview {
  state: LinkState["state"];
  /** The address that the link was sent to; absent unless it is valid. */
  sent_to?: string;
  /** Whether the client with this PKCE challenge requested the link. */
  own?: boolean;
}

/** Reads a link's state without using it. `challenge` is the PKCE challenge of the client's own request, if any. */
export async function previewLink(
  auth: AuthContext,
  { link, types, challenge }: { link: string; types: readonly TokenType[]; challenge: string | undefined },
): Promise<LinkPreview> {
  const state = await readLinkState(auth.db, link, [...types]);
  if (state.state !== "valid") return { state: state.state };
  const own = challenge !== undefined && state.challenge === challenge;
  return { state: "valid", sent_to: state.token.relates_to, own };
}

/** Verifies a code, and opens a session for the client that sends it. */
export async function typeCode(
  auth: AuthContext,
  { login, code, types }: { login: Login; code: string; types: readonly TokenType[] },
  device: Device,
): Promise<Verified> {
  const relatesTo = addressOf(login);
  const key = `codes ${relatesTo}`;
  await auth.limits.spend([{ key, most: WRONG_CODES, seconds: HOUR }]);
  const guess = { relatesTo, code, types: [...types] };
  const id = await guessCode(auth.db, auth.codeSecret, guess);
  if (id === undefined) throw await wrongCode(auth, guess);
  await auth.limits.refund(key);
  return auth.db.transaction(async (tx) => {
    const token = await takeCode(tx, id);
    if (!token) throw await wrongCode(auth, guess);
    return finish(auth, tx, { ...token, flow_state_id: null }, device);
  });
}

async function finish(auth: AuthContext, tx: Transaction, token: OneTimeToken, device: Device): Promise<Verified> {
  const account = await fulfil(auth, tx, token, device);
  if (!account) return "half";
  if (token.flow_state_id) return { authCode: await issueAuthCode(tx, token.flow_state_id, account.id) };
  return { grant: await openSession(auth, tx, account.id, "otp", device) };
}

const EXPIRED_LINK = "Email link is invalid or has expired";

async function wrongCode({ db, codeSecret }: AuthContext, guess: Parameters<typeof isUsedCode>[2]) {
  const isUsed = await isUsedCode(db, codeSecret, guess);
  return new RequestError("otp_expired", isUsed ? { message: USED_TOKEN } : {});
}
