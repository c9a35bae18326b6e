import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { seal, unseal } from "../sealed.ts";
import type { AuthContext } from "./context.ts";
import type { Device, Grant, ProviderTokens } from "./grant.ts";
import { renewSession } from "./refresh-tokens.ts";
import { openSession } from "./sessions.ts";

/** The PKCE challenge of a sign-in, which the client completes with a secret verifier (RFC 7636). */
export interface Challenge {
  challenge: string;
  method: "s256" | "plain";
}

interface NewFlow extends Challenge {
  /** The account; unknown until the person returns from a provider. */
  userId?: string;
  /** "email", or the provider's name. */
  provider: string;
  /** The authentication method for the session's `amr` claim. */
  authenticationMethod: string;
  /** The session to continue; absent if a new one is opened. */
  sessionId?: string;
}

/** The lifetime of an issued code, in seconds. */
const CODE_SECONDS = 300;

const hashOf = (code: string) => createHash("sha256").update(code).digest("hex");

/** Begins a flow; resolves to its id. */
export async function openFlow(tx: Transaction, flow: NewFlow): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into auth.flow_state
       (user_id, code_challenge, code_challenge_method, provider_type, authentication_method, session_id)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [
      flow.userId ?? null,
      flow.challenge,
      flow.method,
      flow.provider,
      flow.authenticationMethod,
      flow.sessionId ?? null,
    ],
  );
  return rows[0]?.id ?? "";
}

/** Issues a flow's code after the person is authenticated; refuses if the flow is gone. */
export async function issueAuthCode(tx: Transaction, flowId: string, userId: string): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  const { changed } = await tx.query(
    `update auth.flow_state set auth_code = $3, user_id = $2, auth_code_issued_at = now(), updated_at = now()
     where id = $1 and auth_code is null`,
    [flowId, userId, hashOf(code)],
  );
  if (changed !== 1) throw flowNotFound();
  return code;
}

/** Stores the provider's tokens until the client exchanges the flow's code. */
export async function keepProviderTokens(auth: AuthContext, tx: Transaction, flowId: string, tokens: ProviderTokens) {
  const sealed = (text: string | undefined) => (text ? seal(text, auth.sealSecret, flowId) : null);
  await tx.query("update auth.flow_state set provider_access_token = $2, provider_refresh_token = $3 where id = $1", [
    flowId,
    sealed(tokens.accessToken),
    sealed(tokens.refreshToken),
  ]);
}

interface Flow {
  id: string;
  user_id: string;
  session_id: string | null;
  provider_access_token: string | null;
  provider_refresh_token: string | null;
  code_challenge: string;
  code_challenge_method: "s256" | "plain";
  authentication_method: string;
  expired: boolean;
}

/** Exchanges a code and its verifier for a session. Each code works once, because a wrong verifier means a theft. */
export async function exchangeAuthCode(
  auth: AuthContext,
  { code, verifier }: { code: string; verifier: string },
  device: Device,
): Promise<Grant> {
  const { rows } = await auth.db.query<Flow>(
    `delete from auth.flow_state where auth_code = $1
     returning id, user_id, session_id, provider_access_token, provider_refresh_token, code_challenge, code_challenge_method::text as code_challenge_method, authentication_method,
       auth_code_issued_at < clock_timestamp() - make_interval(secs => $2) as expired`,
    [hashOf(code), CODE_SECONDS],
  );
  const [flow] = rows;
  if (!flow) throw flowNotFound();
  if (flow.expired) throw new RequestError("flow_state_expired");
  if (!answers(flow, verifier)) {
    throw new RequestError("bad_code_verifier");
  }
  const grant = await auth.db.transaction((tx) =>
    flow.session_id
      ? renewSession(tx, auth.refreshSecret, flow.session_id)
      : openSession(auth, tx, flow.user_id, flow.authentication_method, device),
  );
  return { ...grant, provider: providerTokens(auth, flow) };
}

function providerTokens({ sealSecret }: AuthContext, flow: Flow): ProviderTokens | undefined {
  if (flow.provider_access_token === null) return undefined;
  const refreshToken = flow.provider_refresh_token;
  return {
    accessToken: unseal(flow.provider_access_token, sealSecret, flow.id),
    refreshToken: refreshToken === null ? undefined : unseal(refreshToken, sealSecret, flow.id),
  };
}

const flowNotFound = () => new RequestError("flow_state_not_found");

function answers(flow: Flow, verifier: string): boolean {
  const challenge = flow.code_challenge_method === "plain" ? verifier : s256(verifier);
  const [a, b] = [Buffer.from(challenge), Buffer.from(flow.code_challenge)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const s256 = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
