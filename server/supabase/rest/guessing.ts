import { normalizeIP } from "@fastify/rate-limit";
import type { Limits } from "../auth/limits.ts";
import { RestError } from "./errors.ts";

/** A function whose right answers are worth guessing at. */
export interface Guessable {
  /** How many wrong answers an address, or a network of IPv6, may get in `seconds`. */
  allowance: number;
  seconds: number;
  /** Whether the answer's JSON text says that the guess was wrong. */
  isWrong: (body: string) => boolean;
}

export interface Guessing {
  limits: Limits;
  /** By the function's name. */
  functions: Readonly<Record<string, Guessable>>;
}

/**
 * Counts one more guess of an address and refuses too many, right or wrong, before anything is looked up; resolves to
 * what takes the count back once the answer is known to be right. Counted beforehand, as many at once are guesses, too.
 */
export async function beginGuess({ limits, functions }: Guessing, name: string, ip: string) {
  const guessable = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!guessable) return undefined;
  const key = `guesses at ${name} from ${normalizeIP(ip)}`;
  const { count } = await limits.count(key, guessable.seconds);
  if (count > guessable.allowance) throw new RestError(429, "PGRST429", "Request rate limit reached");
  return async (body: string) => {
    if (!guessable.isWrong(body)) await limits.giveBack(key);
  };
}
