import { isMailable, LONGEST_EMAIL } from "../../../shared/credentials.ts";
import { typedAddress } from "../../../shared/typed-address.ts";
import { asciiDigits, typedLine } from "../../../shared/typed-text.ts";
import { invalid } from "./bodies.ts";

/** An account's email address or phone number, in its stored form. */
export type Login = { email: string; phone?: undefined } | { phone: string; email?: undefined };

interface Given {
  email?: string | null;
  phone?: string | null;
}

/** Reads the email address or phone number without checking it. Refuses with `missing` if there is none. */
export function readLogin({ email, phone }: Given, missing: string): Login {
  if (!email && !phone) throw invalid(missing);
  if (email && phone) throw invalid("Only an email address or phone number should be provided");
  return email ? { email: stored(email) } : { phone: digits(phone ?? "") };
}

/** Refuses an address to which nothing can be sent. */
export function checkLogin(login: Login): Login {
  if (login.email === undefined) checkPhone(login.phone);
  else checkEmail(login.email);
  return login;
}

/** Returns an email address in its stored form. Refuses an invalid one. */
export function checkEmail(typed: string): string {
  const email = stored(typed);
  if (!isMailable(email) || email.length > LONGEST_EMAIL) {
    throw invalid("Unable to validate email address: invalid format");
  }
  return email;
}

/** Returns a phone number in its stored form. Refuses an invalid one. */
export function checkPhone(typed: string): string {
  const phone = digits(typed);
  if (!/^[1-9]\d{6,14}$/.test(phone)) throw invalid("Invalid phone number format (E.164 required)");
  return phone;
}

const stored = typedAddress;

// People write spaces and a leading plus, but these are not part of the number.
const digits = (phone: string) => asciiDigits(typedLine(phone)).replaceAll(/[\s+]/g, "");
