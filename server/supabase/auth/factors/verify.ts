import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import { unseal } from "../../sealed.ts";
import type { FactorRow } from "../account.ts";
import type { AuthContext } from "../context.ts";
import type { Device, Grant } from "../grant.ts";
import { renewSession } from "../refresh-tokens.ts";
import type { SignedIn } from "../signed-in.ts";
import { isTexted, requireChallenge } from "./challenge.ts";
import { emailAboutFactor, lacksSecondFactor, lockPerson, METHODS, requireFactor } from "./factors.ts";
import { stepOf } from "./totp.ts";

const HOUR = 3600;
/** Limits of wrong codes per person, for all factors together. Anyone who tries a code already knows the password. */
const AN_HOUR = 10;
const A_DAY = 20;

interface Answer {
  factorId: string;
  challengeId: string;
  code: string;
}

/** Verifies a second factor: raises the session to aal2 and ends sessions below it. A first code also activates it. */
export async function verifyFactor(
  auth: AuthContext,
  person: SignedIn,
  answer: Answer,
  device: Device,
): Promise<Grant> {
  const factor = requireFactor(person, answer.factorId);
  const refund = await countTry(auth, person);
  const challenge = await requireChallenge(auth.db, person, factor, answer.challengeId);
  const step = factor.factor_type === "totp" ? await totpStep(auth, factor, answer.code) : null;
  const right =
    factor.factor_type === "totp" ? step !== undefined : isTexted(auth, answer.challengeId, challenge, answer.code);
  if (!right) throw wrongCode(factor);
  await refund();
  return auth.db.transaction(async (tx) => {
    const fresh = await lockPerson(tx, person);
    await useUp(tx, factor, answer.challengeId, step ?? null);
    const isNew = await activateFactor(tx, fresh, requireFactor(fresh, factor.id));
    await raise(tx, fresh, factor);
    if (isNew) await emailAboutFactor(auth, tx, { account: fresh, factor, template: "factor-added" }, device);
    return renewSession(tx, auth.refreshSecret, person.session_id);
  });
}

async function countTry({ limits }: AuthContext, { id }: SignedIn): Promise<() => Promise<void>> {
  const keys = [`second steps ${id} this hour`, `second steps ${id} today`] as const;
  await limits.spend([
    { key: keys[0], most: AN_HOUR, seconds: HOUR },
    { key: keys[1], most: A_DAY, seconds: 24 * HOUR },
  ]);
  return async () => {
    for (const key of keys) await limits.refund(key);
  };
}

async function totpStep({ db, sealSecret }: AuthContext, { id }: FactorRow, code: string): Promise<number | undefined> {
  const { rows } = await db.query<{ secret: string }>("select secret from auth.mfa_factors where id = $1", [id]);
  return rows[0] && stepOf(unseal(rows[0].secret, sealSecret, id), code, Date.now());
}

/** Marks a challenge and an app's code as used. Each works once: of two simultaneous requests, one is refused. */
async function useUp(tx: Transaction, factor: FactorRow, challengeId: string, step: number | null) {
  const challenge = await tx.query(
    "update auth.mfa_challenges set verified_at = now() where id = $1 and verified_at is null",
    [challengeId],
  );
  const used = await tx.query(
    "update auth.mfa_factors set last_step = coalesce($2, last_step) where id = $1 and ($2::bigint is null or coalesce(last_step, 0) < $2)",
    [factor.id, step],
  );
  if (challenge.changed !== 1 || used.changed !== 1) throw wrongCode(factor);
}

/** Activates an unverified factor. Resolves to whether the factor was unverified. */
async function activateFactor(tx: Transaction, person: SignedIn, factor: FactorRow): Promise<boolean> {
  if (factor.status === "verified") return false;
  // Otherwise an attacker with the password could complete an enrolment that they began before the first factor.
  if (lacksSecondFactor(person)) {
    throw new RequestError("insufficient_aal", { message: "AAL2 required to enroll a new factor" });
  }
  await tx.query("update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1", [factor.id]);
  await tx.query(
    "delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type = $2::text::auth.factor_type",
    [person.id, factor.factor_type],
  );
  return true;
}

/** Raises a session to aal2, and ends the person's other sessions that are below it. */
async function raise(tx: Transaction, { id, session_id }: SignedIn, factor: FactorRow) {
  await tx.query("update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1", [
    session_id,
    factor.id,
  ]);
  await tx.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)
     on conflict (session_id, authentication_method) do update set created_at = now(), updated_at = now()`,
    [session_id, METHODS[factor.factor_type]],
  );
  await tx.query("delete from auth.sessions where user_id = $1 and aal = 'aal1'", [id]);
}

const wrongCode = ({ factor_type }: FactorRow) =>
  new RequestError("mfa_verification_failed", {
    message: factor_type === "totp" ? "Invalid TOTP code entered" : "Invalid MFA Phone code entered",
  });
