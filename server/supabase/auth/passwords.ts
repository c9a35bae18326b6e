import { type Algorithm, hash, verify } from "@node-rs/argon2";
import { SHORTEST_PASSWORD } from "../../../shared/credentials.ts";
import { Refusal, TemporaryRefusal } from "../../../shared/refusal.ts";
import { isCommon } from "./common-passwords.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

export interface Passwords {
  /** Refuses one that is too short, or that everybody tries first. */
  hash(password: string): Promise<string>;
  /** Whether the password is the one; takes the same time where there is no hash to compare with. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
}

// argon2id, 19 MiB, two passes, one lane. The package's enum is erased from its types, so its number stands here.
const ARGON2ID = 2 as Algorithm.Argon2id;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Seconds in which the waiting ones are done. */
const RETRY_AFTER = 3;
/** Two at once leave half of Node's four worker threads to files; some hundred waiting take about three seconds. */
const AT_ONCE = 2;
const WAITING = 100;

/** Hashes and checks passwords, so many at a time that a burst of sign-ins can exhaust neither memory nor threads. */
export function openPasswords(): Passwords {
  const limited = limitConcurrency(AT_ONCE, WAITING, () => {
    throw new TemporaryRefusal(429, "Request rate limit reached", "over_request_rate_limit", RETRY_AFTER);
  });
  // Made at the start, so that the first unknown address takes no longer than others.
  const dummy = hash("nobody's password", COST);
  return {
    async hash(password) {
      if ([...password].length < SHORTEST_PASSWORD) {
        throw new Refusal(422, `Password must be at least ${SHORTEST_PASSWORD} characters`, "weak_password", {
          weak_password: { reasons: ["length"] },
        });
      }
      if (isCommon(password)) {
        throw new Refusal(
          422,
          "Password is known to be weak and easy to guess, please choose a different one.",
          "weak_password",
          { weak_password: { reasons: ["pwned"] } },
        );
      }
      return limited(() => hash(password, COST));
    },
    async matches(password, known) {
      const compared = known ?? (await dummy);
      const same = await limited(() => verify(compared, password));
      return same && Boolean(known);
    },
  };
}
