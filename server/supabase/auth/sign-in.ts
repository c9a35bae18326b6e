import { normalizeIP } from "@fastify/rate-limit";
import { Refusal } from "../../../shared/refusal.ts";
import { addressOf } from "./account.ts";
import type { AuthContext } from "./context.ts";
import type { Device, Grant } from "./grant.ts";
import type { Login } from "./logins.ts";
import { openSession } from "./sessions.ts";

const HOUR = 3600;
/** Wrong passwords for one account in an hour. */
const WRONG_PASSWORDS = 20;

interface Candidate {
  id: string;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
}

/** Signs a person in; an unknown address and a wrong password get the same answer in the same time. */
export async function signIn(
  auth: AuthContext,
  { login, password }: { login: Login; password: string },
  device: Device,
): Promise<Grant> {
  const key = await countTry(auth, login, device);
  const { rows } = await auth.db.query<Candidate>(
    `select id, encrypted_password, email_confirmed_at, phone_confirmed_at from auth.users
     where lower(email) = lower($1) and not is_sso_user or phone = $2`,
    [login.email ?? null, login.phone ?? null],
  );
  const [candidate] = rows;
  const matches = await auth.passwords.matches(password, candidate?.encrypted_password);
  if (!candidate || !matches) throw new Refusal(400, "Invalid login credentials", "invalid_credentials");
  await auth.limits.giveBack(key);
  requireConfirmed(candidate, login);
  return auth.db.transaction((tx) => openSession(auth, tx, candidate.id, "password", device));
}

/**
 * Counts a try before it is checked, so that guesses sent together cannot pass together. Guesses from many networks
 * add up by account, known or not. A network where its person is signed in has a count of its own: others cannot lock them out.
 */
async function countTry({ db, limits }: AuthContext, login: Login, device: Device): Promise<string> {
  const network = normalizeIP(device.address);
  const { rows } = await db.query<{ ip: string | null }>(
    `select distinct s.ip from auth.sessions s join auth.users u on u.id = s.user_id
     where lower(u.email) = lower($1) and not u.is_sso_user or u.phone = $2`,
    [login.email ?? null, login.phone ?? null],
  );
  const atHome = rows.some(({ ip }) => ip !== null && normalizeIP(ip) === network);
  const key = `passwords ${addressOf(login)}${atHome ? ` from ${network}` : ""}`;
  await limits.spend(key, WRONG_PASSWORDS, HOUR);
  return key;
}

/** Only whoever knows the password learns that the address waits to be confirmed. */
function requireConfirmed({ email_confirmed_at, phone_confirmed_at }: Candidate, { email }: Login) {
  if (email !== undefined && !email_confirmed_at) throw new Refusal(400, "Email not confirmed", "email_not_confirmed");
  if (email === undefined && !phone_confirmed_at) throw new Refusal(400, "Phone not confirmed", "phone_not_confirmed");
}
