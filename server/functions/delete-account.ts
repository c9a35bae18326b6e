import { z } from "zod";
import { deleteAccount } from "../supabase/auth/admin-users.ts";
import type { AuthContext } from "../supabase/auth/context.ts";
import { checkPerson } from "../supabase/auth/reauthenticate.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";
import { signedInPerson } from "./signed-in-person.ts";

const Proof = z.object({
  password: z.string().min(1).max(1000).optional(),
  nonce: z.string().min(1).max(100).optional(),
});

/**
 * POST /functions/v1/delete-account: deletes the signed-in person's account and all that is theirs, for anyone who shows
 * by `password`, or by the `nonce` that `reauthenticate` sends, that it is still them. Nothing brings it back.
 */
export const deleteMyAccount =
  (auth: AuthContext): ServerFunction =>
  async (request) => {
    const person = await signedInPerson(auth, request);
    await checkPerson(auth, person, await readBody(request, Proof));
    // Rows follow by their foreign keys, stored bytes by their rows, and what knows them by address alone by a trigger.
    await auth.db.transaction((tx) => deleteAccount(tx, person.id));
    return Response.json({ deleted: true }, { headers: { "cache-control": "no-store" } });
  };
