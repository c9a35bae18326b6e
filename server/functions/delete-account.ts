import { z } from "zod";
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
 * POST /functions/v1/delete-account: permanently deletes the signed-in person's account with all its data. Requires the
 * `password`, or the `nonce` that `reauthenticate` sends.
 */
export const deleteMyAccount =
  (auth: AuthContext): ServerFunction =>
  async (request) => {
    const person = await signedInPerson(auth, request);
    await checkPerson(auth, person, await readBody(request, Proof));
    await auth.db.query("select private.erase_account($1)", [person.id]);
    return Response.json({ deleted: true }, { headers: { "cache-control": "no-store" } });
  };
