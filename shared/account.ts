import { z } from "zod";
import { EMAIL, SHORTEST_PASSWORD } from "./credentials.ts";

/** What is wrong with a field: a key of the `common` texts, so that each side says it in the reader's language. */
export type FieldProblem = "required" | "invalidEmail" | "shortPassword";

const problem = (key: FieldProblem) => key;
const email = z.string().trim().min(1, problem("required")).regex(EMAIL, problem("invalidEmail"));
const password = z.string().min(1, problem("required"));

/** What signing in needs. */
export const Credentials = z.object({ email, password });
export type Credentials = z.infer<typeof Credentials>;

/** What a new account needs. */
export const Registration = z.object({
  fullName: z.string().trim().min(1, problem("required")).max(200),
  email,
  password: password.min(SHORTEST_PASSWORD, problem("shortPassword")),
});
export type Registration = z.infer<typeof Registration>;
