import { z } from "zod";
import { checkPerson } from "../supabase/auth/reauthenticate.ts";
import { endpoint } from "./endpoint.ts";

const Proof = z.object({
  password: z.string().min(1).max(1000).optional(),
  nonce: z.string().min(1).max(100).optional(),
});

/**
 * POST /functions/v1/delete-account: permanently deletes the signed-in person's account with all its data. Requires the
 * `password`, or the `nonce` that `reauthenticate` sends.
 */
export const deleteAccount = endpoint({ caller: "account", body: Proof }, async ({ db, accounts, person, body }) => {
  await checkPerson(accounts, person, body);
  await db.query("select private.erase_account($1)", [person.id]);
  return { deleted: true };
});
