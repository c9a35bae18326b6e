import type { StaffRole } from "../../web/lib/session/session.ts";
import { type Person, signUp } from "./people.ts";
import { codeOf, forgetCodes, protect } from "./second-factor.ts";
import type { TestServer } from "./server.ts";

/** A staff member, signed in with a second factor; `secret` is that of their authenticator app. */
export async function staffMember(
  server: Pick<TestServer, "client" | "service" | "db">,
  role: StaffRole,
): Promise<Person & { secret: string }> {
  const person = await signUp(server, role);
  const app = await protect(server, person);
  // Changing the role ends their sessions, because a token keeps its claims until it expires.
  await server.service().rpc("set_staff_role", { email: person.email, role }).throwOnError();
  const { error } = await person.client.auth.signInWithPassword(person);
  if (error) throw error;
  const { data, error: refused } = await person.client.auth.mfa.challengeAndVerify({
    factorId: app.id,
    code: codeOf(app.secret),
  });
  if (refused) throw refused;
  await forgetCodes(server, app);
  return { ...person, token: data.access_token, secret: app.secret };
}
