import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import type { Account, FactorRow } from "../account.ts";
import type { AuthContext } from "../context.ts";
import { readerOf } from "../deliveries.ts";
import type { Device } from "../grant.ts";
import { findSignedIn, type SignedIn, sessionEnded } from "../signed-in.ts";

/** Names of the factor types in a session's claims. */
export const METHODS = { totp: "totp", phone: "mfa/phone" } as const;

export const verifiedFactors = ({ factors }: Pick<Account, "factors">) =>
  factors.filter(({ status }) => status === "verified");

/** Whether a person has a second factor that this session has not verified. */
export const lacksSecondFactor = (person: SignedIn) => person.aal !== "aal2" && verifiedFactors(person).length > 0;

/** Refuses a session that lacks its second factor, because `toDo` could lock the person out or let an attacker in. */
export function requireSecondFactor(person: SignedIn, toDo: string) {
  if (!lacksSecondFactor(person)) return;
  throw new RequestError("insufficient_aal", {
    message: `AAL2 session is required to ${toDo} when MFA is enabled.`,
    status: 401,
  });
}

/** Resolves to the person's current state, and locks it against other factor changes until the transaction ends. */
export async function lockPerson(tx: Transaction, { id, session_id }: SignedIn): Promise<SignedIn> {
  await tx.query("select from auth.users where id = $1 for update", [id]);
  const person = await findSignedIn(tx, session_id);
  if (!person) throw sessionEnded();
  return person;
}

export function requireFactor({ factors }: Account, id: string): FactorRow {
  const factor = factors.find((factor) => factor.id === id);
  if (!factor) throw new RequestError("mfa_factor_not_found", { message: "Factor not found" });
  return factor;
}

/** Emails a person that a second factor was added or removed. */
export async function emailAboutFactor(
  { messages }: AuthContext,
  tx: Transaction,
  { account, factor, template }: { account: Account; factor: FactorRow; template: "factor-added" | "factor-removed" },
  device: Device,
) {
  if (!account.email || !account.email_confirmed_at) return;
  await messages.mail(tx, {
    template,
    to: account.email,
    reader: readerOf(account, device),
    props: { at: new Date().toISOString(), factor: factor.factor_type },
  });
}
