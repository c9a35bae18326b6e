import { randomUUID } from "node:crypto";
import { RequestError } from "../../../../shared/request-error.ts";
import type { Transaction } from "../../../database/database.ts";
import { seal } from "../../sealed.ts";
import type { AuthContext } from "../context.ts";
import type { SignedIn } from "../signed-in.ts";
import { lockPerson, verifiedFactors } from "./factors.ts";
import type { Enrolment } from "./requests.ts";
import { newTotp, qrSvg } from "./totp.ts";

/** Upper limit of factors per person; unverified ones count too. People have fewer devices and numbers. */
const MOST = 10;

/** Adds an unverified second factor. Its first correct code activates it. The secret is returned only once. */
export async function enrolFactor(auth: AuthContext, person: SignedIn, enrolment: Enrolment) {
  const id = randomUUID();
  const { name, type } = enrolment;
  const phone = enrolment.type === "phone" ? enrolment.phone : null;
  const totp = enrolment.type === "totp" ? newTotp(labelsFor(auth, person, enrolment.issuer)) : undefined;
  await auth.db.transaction(async (tx) => {
    const fresh = await lockPerson(tx, person);
    await makeRoom(tx, fresh, { name, phone });
    await tx.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, phone, secret)
       values ($1, $2, $3, $4::text::auth.factor_type, $5, $6)`,
      [id, person.id, name, type, phone, totp ? seal(totp.secret, auth.sealSecret, id) : null],
    );
  });
  const factor = { id, type, friendly_name: name };
  return totp ? { ...factor, totp: { qr_code: await qrSvg(totp.uri), ...totp } } : { ...factor, phone };
}

/** Returns the labels for the authenticator app: the site and the account. */
function labelsFor({ redirects }: AuthContext, { email, phone }: SignedIn, issuer: string | undefined) {
  const site = issuer ?? new URL(redirects.siteUrl).host;
  return { issuer: site.replaceAll(":", " "), label: email ?? phone ?? site };
}

/** Refuses a factor above the limit or a duplicate. Deletes an unverified factor with the same name or number. */
async function makeRoom(tx: Transaction, person: SignedIn, { name, phone }: { name: string; phone: string | null }) {
  const verified = verifiedFactors(person);
  if (verified.length > 0 && person.aal !== "aal2") {
    throw new RequestError("insufficient_aal", { message: "AAL2 required to enroll a new factor" });
  }
  if (name && verified.some(({ friendly_name }) => friendly_name === name)) {
    throw new RequestError("mfa_factor_name_conflict", {
      message: `A factor with the friendly name "${name}" for this user already exists`,
    });
  }
  if (phone && verified.some((factor) => factor.phone === phone)) {
    throw new RequestError("mfa_verified_factor_exists");
  }
  const { changed } = await tx.query(
    `delete from auth.mfa_factors
     where user_id = $1 and status = 'unverified' and (friendly_name = $2 or phone = $3)`,
    [person.id, name, phone],
  );
  if (person.factors.length - changed >= MOST) {
    throw new RequestError("too_many_enrolled_mfa_factors");
  }
}
