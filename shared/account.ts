import { z } from "zod";
import { EMAIL, LONGEST_EMAIL, LONGEST_NAME, SHORTEST_PASSWORD } from "./credentials.ts";
import { typedAddress } from "./typed-address.ts";
import { codeIn, typedCode, typedLine } from "./typed-text.ts";

/** An error of a field: a key of the `common` texts, so that browser and server show it in the reader's language. */
export type FieldProblem =
  | "required"
  | "invalidEmail"
  | "longEmail"
  | "longName"
  | "shortPassword"
  | "invalidCode"
  | "invalidPhone";

const problem = (key: FieldProblem) => key;
const email = z
  .string()
  .transform(typedAddress)
  .pipe(
    z
      .string()
      .min(1, problem("required"))
      .regex(EMAIL, problem("invalidEmail"))
      .max(LONGEST_EMAIL, problem("longEmail")),
  );
const password = z.string().min(1, problem("required"));
const newPassword = password.min(SHORTEST_PASSWORD, problem("shortPassword"));
const fullName = z
  .string()
  .transform(typedLine)
  .pipe(z.string().min(1, problem("required")).max(LONGEST_NAME, problem("longName")));
const code = z
  .string()
  .transform(codeIn)
  .pipe(z.string().regex(/^\d{6}$/, problem("invalidCode")));

/** The fields of the sign-in form. */
export const Credentials = z.object({ email, password });
export type Credentials = z.infer<typeof Credentials>;

/** The fields of the registration form. */
export const Registration = z.object({ fullName, email, password: newPassword });
export type Registration = z.infer<typeof Registration>;

/** The email address to which a message is sent. */
export const Address = z.object({ email });

/** A new password. */
export const NewPassword = z.object({ password: newPassword });

/** A code of six digits from an email, a text message or an authenticator app. */
export const Code = z.object({ code });

/** A person's name. */
export const Name = z.object({ fullName });

/** A telephone number with its country code, e.g. +44 7700 900123. The output is a plus sign and digits only. */
export const Phone = z.object({
  phone: z
    .string()
    .min(1, problem("required"))
    .transform((text) => typedCode(text).replaceAll(/[()]/g, "").replace(/^00/, "+"))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, problem("invalidPhone"))),
});
