import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { RequestError } from "../../../../shared/request-error.ts";
import type { Database } from "../../../database/database.ts";
import type { FactorRow } from "../account.ts";
import type { AuthContext } from "../context.ts";
import { readerOf } from "../deliveries.ts";
import type { Device } from "../grant.ts";
import { spendMessage } from "../message-limits.ts";
import type { SignedIn } from "../signed-in.ts";
import { requireFactor } from "./factors.ts";

/** The lifetime of a challenge, in minutes. */
const MINUTES = 5;
/** Upper limit of attempts at a texted code, including the correct one. */
const TRIES = 5;

/** Creates a challenge for a session, and texts its code if the factor is a phone. Only the newest one is valid. */
export async function challengeFactor(auth: AuthContext, person: SignedIn, factorId: string, device: Device) {
  const factor = requireFactor(person, factorId);
  if (factor.phone !== null) await spendMessage(auth, { phone: factor.phone });
  const id = randomUUID();
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  return auth.db.transaction(async (tx) => {
    await tx.query("delete from auth.mfa_challenges where factor_id = $1 and session_id = $2", [
      factorId,
      person.session_id,
    ]);
    const { rows } = await tx.query<{ expires_at: Date }>(
      `with challenged as (update auth.mfa_factors set last_challenged_at = now() where id = $2)
       insert into auth.mfa_challenges (id, factor_id, session_id, code_hash, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning expires_at`,
      [id, factorId, person.session_id, factor.phone === null ? null : hashOf(auth, id, code), MINUTES],
    );
    const expiresAt = rows[0]?.expires_at ?? new Date();
    if (factor.phone !== null) {
      const addressed = { to: factor.phone, reader: readerOf(person, device), expiresAt };
      await auth.messages.sms(tx, { ...addressed, props: { code, minutes: MINUTES } });
    }
    return { id, type: factor.factor_type, expires_at: Math.floor(expiresAt.getTime() / 1000) };
  });
}

interface Waiting {
  code_hash: string | null;
  tries: number;
  expired: boolean;
}

/**
 * Resolves to this session's pending challenge for this factor. Counts the attempt outside of any transaction, so that
 * parallel guesses and rolled-back guesses count too.
 */
export async function requireChallenge(
  db: Database,
  { session_id }: SignedIn,
  factor: FactorRow,
  challengeId: string,
): Promise<Waiting> {
  const { rows } = await db.query<Waiting>(
    `update auth.mfa_challenges set tries = tries + 1
     where id = $1 and factor_id = $2 and session_id = $3 and verified_at is null
     returning code_hash, tries, expires_at < clock_timestamp() as expired`,
    [challengeId, factor.id, session_id],
  );
  const [challenge] = rows;
  if (!challenge) {
    throw new RequestError("mfa_factor_not_found", { status: 422 });
  }
  if (challenge.expired || (challenge.code_hash !== null && challenge.tries > TRIES)) {
    throw new RequestError("mfa_challenge_expired", {
      message: `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    });
  }
  return challenge;
}

export function isTexted(auth: AuthContext, challengeId: string, { code_hash }: Waiting, code: string): boolean {
  const [storedHash, codeHash] = [Buffer.from(code_hash ?? ""), Buffer.from(hashOf(auth, challengeId, code))];
  return storedHash.length === codeHash.length && timingSafeEqual(storedHash, codeHash);
}

const hashOf = ({ codeSecret }: AuthContext, challengeId: string, code: string) =>
  createHmac("sha256", codeSecret).update(`challenge ${challengeId} ${code}`).digest("base64url");
