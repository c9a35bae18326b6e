import { deviceName } from "../../../shared/device-name.ts";
import { RequestError } from "../../../shared/request-error.ts";
import { ACCOUNT, type Account, ADDRESSED, addressOf, isBanned, isConfirmed } from "./account.ts";
import type { AuthContext } from "./context.ts";
import type { Device, Grant } from "./grant.ts";
import { countAttempt, tooMany, UNSYNCED } from "./limits.ts";
import type { Login } from "./logins.ts";
import { openKnownSession, openSession } from "./sessions.ts";

const HOUR = 3600;
/** Upper limit of wrong passwords for one account in an hour. */
const WRONG_PASSWORDS = 20;

/** A sign-in's account and counted attempt. */
interface Attempt extends Account {
  /** Null for an unknown address, as are all fields of the account. */
  encrypted_password: string | null;
  knows_device: boolean | null;
  key: string;
  count: number;
  ends_in: number;
}

/** Signs a person in. An unknown address and a wrong password get the same response in the same time. */
export async function signIn(
  auth: AuthContext,
  { login, password }: { login: Login; password: string },
  device: Device,
): Promise<Grant> {
  const { encrypted_password, knows_device, key, count, ends_in, ...account } = await countTry(auth, login, device);
  if (count > WRONG_PASSWORDS) throw tooMany(ends_in);
  const matches = await auth.passwords.matches(password, encrypted_password);
  if (!matches) throw new RequestError("invalid_credentials");
  // Only a caller with the password learns that the address is unconfirmed.
  const confirmed = isConfirmed(account, login);
  if (confirmed && knows_device && !isBanned(account)) {
    return openKnownSession(auth.db, account, "password", device, key);
  }
  await auth.db.query("update auth.attempts set count = greatest(count - 1, 0) where key = $1", [key]);
  if (!confirmed) throw notConfirmed(login);
  return auth.db.transaction((tx) => openSession(auth, tx, account.id, "password", device));
}

/**
 * Counts an attempt before it is checked, so that parallel guesses cannot pass together, and finds the account in the
 * same statement. Guesses from all networks count together for an address, whether or not it has an account. A network
 * in which the account has a session has a separate count, so that others cannot lock the person out.
 */
async function countTry({ db, limits }: AuthContext, login: Login, device: Device): Promise<Attempt> {
  const key = `passwords ${addressOf(login)}`;
  const { rows } = await db.query<Attempt>(
    `with ${UNSYNCED}, person as materialized (
       select ${ACCOUNT}, u.encrypted_password,
         exists (select from auth.known_devices d where d.user_id = u.id and d.device = $3) as knows_device,
         exists (select from auth.sessions s where s.user_id = u.id and s.network = $4) as is_at_home
       from auth.users u where ${ADDRESSED} order by lower(u.email) = $1 desc nulls last limit 1
     ), counted as (
       ${countAttempt("case when (select is_at_home from person) then $6 else $5 end", "$7")}
     )
     select person.*, counted.key, counted.count, counted.ends_in from counted left join person on true`,
    [
      login.email ?? null,
      login.phone ?? null,
      deviceName(device.userAgent),
      device.network,
      limits.hash(key),
      limits.hash(`${key} from ${device.network}`),
      HOUR,
    ],
  );
  const [attempt] = rows;
  if (!attempt) throw new Error("A try was not counted");
  return attempt;
}

const notConfirmed = ({ email }: Login) =>
  email === undefined ? new RequestError("phone_not_confirmed") : new RequestError("email_not_confirmed");
