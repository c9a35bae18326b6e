import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import type { AuthContext } from "../context.ts";
import type { OAuthState } from "../providers/provider.ts";

/** The time limit of a sign-in at a provider, in seconds. */
const LONGEST = 600;
const STATE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([\w-]{43})$/;

/** The purpose of a sign-in at a provider. */
export interface OAuthPurpose {
  /** The provider's name. */
  provider: string;
  /** The final redirect, already checked. */
  redirectTo: string;
  /** The PKCE flow, if the client uses one. */
  flowId: string | null;
  /** The session whose account gets the identity; null if the purpose is not linking. */
  sessionId: string | null;
}

/** Derives all secrets of a flow from its id and a random text in the browser, so a stolen database reveals none. */
function oauthStateOf({ codeSecret, url }: AuthContext, id: string, browser: string): OAuthState {
  const derive = (what: string) =>
    createHmac("sha256", codeSecret).update(`oauth-state ${what} ${id} ${browser}`).digest("base64url");
  return {
    redirectUri: `${url}/callback`,
    state: `${id}.${derive("state")}`,
    nonce: derive("nonce"),
    verifier: derive("verifier"),
  };
}

/** Creates the state of a new sign-in, and the cookie that binds it to the browser. */
export function newOAuthState(auth: AuthContext): { id: string; oauthState: OAuthState; cookie: string } {
  const [id, browser] = [randomUUID(), randomBytes(32).toString("base64url")];
  return { id, oauthState: oauthStateOf(auth, id, browser), cookie: cookieOf(auth, id, browser, LONGEST) };
}

export async function begin(tx: Transaction, id: string, { provider, redirectTo, flowId, sessionId }: OAuthPurpose) {
  await tx.query(
    `insert into auth.oauth_client_states (id, provider_type, redirect_to, flow_state_id, session_id)
     values ($1, $2, $3, $4, $5)`,
    [id, provider, redirectTo, flowId, sessionId],
  );
}

interface Return {
  purpose: OAuthPurpose;
  oauthState: OAuthState;
  /** The header that deletes the browser's cookie. */
  cookie: string;
}

/** Ends a sign-in at a provider. Each state works once, in the browser that started it; any other is refused. */
export async function end(auth: AuthContext, state: unknown, cookies: string | undefined): Promise<Return> {
  const [, id = ""] = (typeof state === "string" && STATE.exec(state)) || [];
  const browser = readCookie(cookies, cookieName(id));
  const oauthState = browser === undefined ? undefined : oauthStateOf(auth, id, browser);
  if (!oauthState || !same(oauthState.state, String(state))) throw badState();
  const { rows } = await auth.db.query<{
    provider_type: string;
    redirect_to: string;
    flow_state_id: string | null;
    session_id: string | null;
    late: boolean;
  }>(
    `delete from auth.oauth_client_states where id = $1
     returning provider_type, redirect_to, flow_state_id, session_id,
       created_at < clock_timestamp() - make_interval(secs => $2) as late`,
    [id, LONGEST],
  );
  const [row] = rows;
  if (!row || row.late) throw badState();
  const { provider_type: provider, redirect_to: redirectTo, flow_state_id: flowId, session_id: sessionId } = row;
  return { purpose: { provider, redirectTo, flowId, sessionId }, oauthState, cookie: cookieOf(auth, id, "", 0) };
}

const badState = () => new RequestError("bad_oauth_state");

const cookieName = (id: string) => `oauth-${id}`;

/** Returns the cookie header. Lax: sent with the provider's redirect, never with requests of another site's page. */
function cookieOf({ url }: AuthContext, id: string, value: string, seconds: number): string {
  const { protocol, pathname } = new URL(url);
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${cookieName(id)}=${value}; Path=${pathname}/callback; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

const readCookie = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
