import { RetryLaterError } from "../../../shared/request-error.ts";
import { addressOf } from "./account.ts";
import type { AuthContext } from "./context.ts";
import type { Login } from "./logins.ts";

const HOUR = 3600;
/** Upper limit of messages to one address in an hour. */
const AN_HOUR = 10;

/** Counts a message to an address, whether or not it has an account. Refuses above the limit. */
export async function spendMessage({ limits, messageInterval }: AuthContext, login: Login): Promise<void> {
  const kind = login.email === undefined ? "sms" : "email";
  const refusal = (endsIn: number) =>
    new RetryLaterError(`over_${kind}_send_rate_limit`, endsIn / 1000, {
      message: `For security purposes, you can only request this after ${Math.ceil(endsIn / 1000)} seconds.`,
    });
  const key = `message ${addressOf(login)}`;
  const allowances = [{ key: `${key} this hour`, most: AN_HOUR, seconds: HOUR }];
  if (messageInterval > 0) allowances.unshift({ key: `${key} just now`, most: 1, seconds: messageInterval });
  await limits.spend(allowances, refusal);
}
