import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { type Identify, SessionEndedError } from "../callers.ts";
import { ACCOUNT, type Account } from "./account.ts";

export interface SignedIn extends Account {
  session_id: string;
  /** The authentication methods, with times in seconds since 1970. */
  amr: { method: string; timestamp: number }[];
  aal: string;
}

/** Resolves to the person of a session; undefined if the session has ended. */
export async function findSignedIn(tx: Transaction, sessionId: string): Promise<SignedIn | undefined> {
  const { rows } = await tx.query<SignedIn>(
    `select ${ACCOUNT}, s.id as session_id, s.aal,
       (select coalesce(jsonb_agg(jsonb_build_object('method', a.authentication_method,
                 'timestamp', floor(extract(epoch from a.created_at))::bigint) order by a.created_at desc), '[]')
        from auth.mfa_amr_claims a where a.session_id = s.id) as amr
     from auth.sessions s join auth.users u on u.id = s.user_id
     where s.id = $1 and (s.not_after is null or s.not_after > now())`,
    [sessionId],
  );
  return rows[0];
}

/** Resolves to the account and session of a token. Rejects an ended session with {@link SessionEndedError}. */
export async function identifySignedIn(
  db: Transaction,
  identify: Identify,
  authorization: string | undefined,
): Promise<SignedIn> {
  const { role, sub, session_id: sessionId } = await identify({ authorization });
  if (role !== "authenticated" || typeof sessionId !== "string") {
    throw new RequestError("no_authorization");
  }
  const person = await findSignedIn(db, sessionId);
  if (!person || person.id !== sub) throw new SessionEndedError();
  return person;
}

/** Like {@link identifySignedIn}; refuses an ended session in the protocol of `auth/v1`. */
export const requireSignedIn = (...of: Parameters<typeof identifySignedIn>): Promise<SignedIn> =>
  identifySignedIn(...of).catch((error: unknown) => {
    throw error instanceof SessionEndedError ? sessionEnded() : error;
  });

export const sessionEnded = () => new RequestError("session_not_found");
