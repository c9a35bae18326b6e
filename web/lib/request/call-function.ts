import { config } from "../browser/config.ts";
import { functionCall } from "./function-call.ts";
import { requestPolicy } from "./request-policy.ts";
import { noteDate } from "./server-clock.ts";

/** A server function's error: `message` may be shown, `code` and `details` are for the program. */
export class FunctionRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code?: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** Fetch under the request policy, without a user. */
export const plainRequest = requestPolicy({
  refresh: () => Promise.reject(new Error("This request has no session")),
  onExpired: () => {},
});

/** POSTs JSON to functions/v1/{name} and returns its JSON; throws a FunctionRefusal for any error status. */
export async function callFunction<T>(
  name: string,
  body: unknown,
  options: { bearer?: string; request?: typeof fetch } = {},
): Promise<T> {
  const response = await (options.request ?? plainRequest)(...functionCall(config(), name, body, options.bearer));
  noteDate(response);
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer as T;
  const { message, code, ...details } = answer;
  throw new FunctionRefusal(
    response.status,
    typeof message === "string" ? message : response.statusText,
    typeof code === "string" ? code : undefined,
    details,
  );
}
