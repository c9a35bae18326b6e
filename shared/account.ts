import { z } from "zod";

/** The keys of the texts that say what is wrong with a field; both languages have them in `common`. */
export type FieldProblem = "required" | "invalidEmail" | "shortPassword";

const problem = (key: FieldProblem) => key;

const email = z
  .string()
  .trim()
  .min(1, problem("required"))
  // Spec §9: no whitespace or at-signs in the local part, one at-sign, a dot in the domain.
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, problem("invalidEmail"));

/** What signing in needs. */
export const SignIn = z.object({ email, password: z.string().min(1, problem("required")) });
export type SignIn = z.infer<typeof SignIn>;

/** What a new account needs. */
export const Registration = z.object({
  fullName: z.string().trim().min(1, problem("required")).max(200),
  email,
  password: z.string().min(1, problem("required")).min(6, problem("shortPassword")),
});
export type Registration = z.infer<typeof Registration>;
