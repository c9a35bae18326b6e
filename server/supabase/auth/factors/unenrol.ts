import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import { type Account, type FactorRow, findAccount } from "../account.ts";
import type { AuthContext } from "../context.ts";
import type { Device } from "../grant.ts";
import type { SignedIn } from "../signed-in.ts";
import { emailAboutFactor, requireFactor } from "./factors.ts";

/** Removes a second factor. Only a session at aal2 may remove a verified factor. */
export async function unenrolFactor(auth: AuthContext, person: SignedIn, factorId: string, device: Device) {
  const factor = requireFactor(person, factorId);
  if (factor.status === "verified" && person.aal !== "aal2") {
    throw new RequestError("insufficient_aal", { message: "AAL2 required to unenroll verified factor", status: 422 });
  }
  await removeFactor(auth, person.id, factorId, device);
  return { id: factorId };
}

/** Removes any person's second factor. The service may do so for people who have lost their telephone. */
export const removeFactor = (auth: AuthContext, userId: string, factorId: string, device: Device): Promise<FactorRow> =>
  auth.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    const factor = requireFactor(account, factorId);
    await tx.query("delete from auth.mfa_factors where id = $1", [factorId]);
    if (factor.status === "verified") {
      await emailAboutFactor(auth, tx, { account, factor, template: "factor-removed" }, device);
    }
    return factor;
  });

async function lockAccount(tx: Transaction, id: string): Promise<Account> {
  const account = await findAccount(tx, id, true);
  if (!account) throw new RequestError("user_not_found");
  return account;
}
