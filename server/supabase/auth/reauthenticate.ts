import { RequestError } from "../../../shared/request-error.ts";
import type { AuthContext } from "./context.ts";
import { sendReauthentication } from "./deliveries.ts";
import type { Device } from "./grant.ts";
import { spendMessage } from "./message-limits.ts";
import { guessCode, takeCode } from "./one-time-tokens.ts";
import type { SignedIn } from "./signed-in.ts";

/** Sends a signed-in person a code to confirm their identity. */
export async function askToReauthenticate(auth: AuthContext, person: SignedIn, device: Device) {
  await spendMessage(auth, person.email === null ? { phone: person.phone ?? "" } : { email: person.email });
  await auth.db.transaction((tx) => sendReauthentication(auth, tx, person, device));
}

/** Consumes the code that was sent to a person. Refuses any other code. */
export async function checkNonce(auth: AuthContext, person: SignedIn, nonce: string): Promise<void> {
  const id = await guessCode(auth.db, auth.codeSecret, {
    relatesTo: person.email ?? person.phone ?? "",
    code: nonce,
    types: ["reauthentication_token"],
    userId: person.id,
  });
  if (id === undefined || !(await takeCode(auth.db, id))) {
    throw new RequestError("reauthentication_not_valid");
  }
}

/** Verifies again that the session's person is present: by their password or by a sent code. */
export async function checkPerson(
  auth: AuthContext,
  person: SignedIn,
  { password, nonce }: { password?: string; nonce?: string },
): Promise<void> {
  if (nonce !== undefined) return checkNonce(auth, person, nonce);
  if (password === undefined) {
    throw new RequestError("reauthentication_needed", { message: "This change requires reauthentication" });
  }
  await auth.limits.spend([{ key: `confirmations ${person.id}`, most: 10, seconds: 3600 }]);
  const { rows } = await auth.db.query<{ encrypted_password: string | null }>(
    "select encrypted_password from auth.users where id = $1",
    [person.id],
  );
  if (!(await auth.passwords.matches(password, rows[0]?.encrypted_password))) {
    throw new RequestError("invalid_credentials", { message: "This is not your password", status: 422 });
  }
}
