import { randomUUID } from "node:crypto";
import { type Algorithm, hash, type Options, verify } from "@node-rs/argon2";

/**
 * Hashes PINs with a slow algorithm, because there are only ten thousand PINs, and with a key, so that a copy of the
 * table is useless.
 */
export interface PinHash {
  /** A salted hash to store. */
  make(pin: string): Promise<string>;
  /** Whether the PIN matches the hash. Without a hash: false, after the same work. */
  matches(stored: string | undefined, pin: string): Promise<boolean>;
}

/** Argon2id with 19 MiB, two passes, one lane, keyed with `secret`. */
export function pinHash(secret: Uint8Array): PinHash {
  // The package's ambient enum is unavailable to isolated modules: 2 is Argon2id.
  const options: Options = {
    algorithm: 2 satisfies Algorithm.Argon2id,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
    secret,
  };
  const nobodys = hash(randomUUID(), options);
  return {
    make: (pin) => hash(pin, options),
    async matches(stored, pin) {
      const right = await verify(stored ?? (await nobodys), pin, options);
      return right && stored !== undefined;
    },
  };
}
