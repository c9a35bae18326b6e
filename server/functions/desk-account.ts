import { z } from "zod";
import { EMAIL } from "../../shared/credentials.ts";
import { RequestError } from "../../shared/request-error.ts";
import { typedAddress } from "../../shared/typed-address.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isBanned } from "../supabase/auth/account.ts";
import { changeAddress, requireAccount } from "../supabase/auth/admin-users.ts";
import type { AuthContext } from "../supabase/auth/context.ts";
import { readerOf, signInToken } from "../supabase/auth/deliveries.ts";
import { endpoint } from "./endpoint.ts";
import { readBody } from "./request-body.ts";

const reason = z.string().trim().min(1).max(2000);
const Act = z.discriminatedUnion("act", [
  z.object({ act: z.literal("sign-in-link"), person: z.guid(), reason }),
  z.object({
    act: z.literal("address"),
    person: z.guid(),
    reason,
    email: z.string().transform(typedAddress).pipe(z.string().max(254).regex(EMAIL)),
  }),
]);

/**
 * POST /functions/v1/desk-account: emails a sign-in code to a person, or changes their account's address; for
 * administrators, with a reason. Only the person gets the message. They type its code on the page that its link opens,
 * because a link that signs in by itself works only in the browser that requested it.
 */
export const deskAccount = endpoint({ caller: "staff" }, async ({ db, accounts, site, caller, request }) => {
  await asStaff(db, caller, async (tx) => {
    // The permission is checked before the body, so that other callers learn nothing about this endpoint.
    await tx.query("select private.require_role('admin')");
    const act = await readBody(request, Act);
    await tx.query("select private.begin_account_act($1, $2, $3)", [
      act.person,
      act.act === "address" ? "person.address" : "person.sign_in_link",
      act.reason,
    ]);
    await endClaims(tx);
    if (act.act === "sign-in-link") return sendLink(accounts, tx, act.person, site);
    await changeAddress(tx, act.person, act.email);
    // Tokens sent to the former address become invalid.
    await tx.query("delete from auth.one_time_tokens where user_id = $1", [act.person]);
  });
  return { done: true };
});

async function sendLink(auth: AuthContext, tx: Transaction, id: string, site: string) {
  const account = await requireAccount(tx, id);
  if (isBanned(account)) throw new RequestError("user_banned");
  if (account.email === null) throw new RequestError("validation_failed", { message: "This account has no address." });
  const { code, minutes, expiresAt } = await signInToken(auth, tx, account, "magiclink", { challenge: undefined });
  const url = `${site}/login#email=${encodeURIComponent(account.email)}`;
  const reader = readerOf(account, { userAgent: null, address: "", network: "", languages: undefined });
  await auth.messages.mail(tx, {
    to: account.email,
    reader,
    expiresAt,
    template: "magic-link",
    props: { url, code, minutes },
  });
}

/** A transaction with the server's rights. The database functions of the desk see the administrator as caller. */
const asStaff = (db: Database, caller: Caller, work: (tx: Transaction) => Promise<void>) =>
  db.transaction(async (tx) => {
    await tx.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(caller)]);
    await work(tx);
  });

/** Ends the administrator's claims: further statements run only with the server's rights. */
const endClaims = (tx: Transaction) => tx.query("select set_config('request.jwt.claims', '', true)");
