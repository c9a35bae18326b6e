import { z } from "zod";
import { EMAIL, SHORTEST_PASSWORD } from "./credentials.ts";

/** An error of a field: a key of the `common` texts, so that each side shows it in the reader's language. */
export type FieldProblem = "required" | "invalidEmail" | "shortPassword" | "invalidCode" | "invalidPhone";

const problem = (key: FieldProblem) => key;
const email = z.string().trim().min(1, problem("required")).regex(EMAIL, problem("invalidEmail"));
const password = z.string().min(1, problem("required"));
const newPassword = password.min(SHORTEST_PASSWORD, problem("shortPassword"));
const fullName = z.string().trim().min(1, problem("required")).max(200);
// People copy codes with spaces around and inside.
const code = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, problem("invalidCode")));

/** What signing in needs. */
export const Credentials = z.object({ email, password });
export type Credentials = z.infer<typeof Credentials>;

/** What a new account needs. */
export const Registration = z.object({ fullName, email, password: newPassword });
export type Registration = z.infer<typeof Registration>;

/** The address for a message. */
export const Address = z.object({ email });

/** A new password. */
export const NewPassword = z.object({ password: newPassword });

/** What was mailed, texted or shown by an authenticator app: six digits. */
export const Code = z.object({ code });

/** What people call themselves. */
export const Name = z.object({ fullName });

/** A telephone number with its country, as +44 7700 900123; as its digits after a plus. */
export const Phone = z.object({
  phone: z
    .string()
    .min(1, problem("required"))
    .transform((text) => text.replaceAll(/[\s().-]/g, "").replace(/^00/, "+"))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, problem("invalidPhone"))),
});
