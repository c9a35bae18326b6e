import type { ErrorCode } from "../../../shared/request-error.ts";
import type { Tokens } from "../tokens.ts";
import { type Grant, sessionJson } from "./grant.ts";
import { withFragment, withParameters } from "./redirects.ts";

/** An error, under the parameter names that clients read. */
export interface Failure {
  error: string;
  error_code: ErrorCode;
  error_description: string;
}

/** Returns a redirect URL with the error in its fragment and, for a client that `waits` for a code, in its query. */
export const withFailure = (to: string, failure: Failure, waits: boolean): string =>
  withFragment(waits ? withParameters(to, { ...failure }) : to, { ...failure });

/** Resolves to a redirect URL with the session in its fragment, which is sent to no server. */
export async function withSession(tokens: Tokens, to: string, grant: Grant, more: Record<string, string> = {}) {
  const { user, ...session } = await sessionJson(tokens, grant);
  const values = Object.entries(session).map(([name, value]): [string, string] => [name, String(value)]);
  return withFragment(to, { ...Object.fromEntries(values), ...more });
}
