import { randomUUID } from "node:crypto";
import { type Algorithm, hash, type Options, verify } from "@node-rs/argon2";
import type { Keyring } from "../supabase/sealed.ts";

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

/** Argon2id with 19 MiB, two passes, one lane, keyed with the current key of `secrets`. */
export function pinHash(secrets: Keyring): PinHash {
  // The package's ambient enum is unavailable to isolated modules: 2 is Argon2id.
  const optionsWith = (secret: Uint8Array): Options => ({
    algorithm: 2 satisfies Algorithm.Argon2id,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
    secret,
  });
  const current = optionsWith(secrets[0]);
  const nobodys = hash(randomUUID(), current);
  return {
    make: (pin) => hash(pin, current),
    async matches(stored, pin) {
      const compared = stored ?? (await nobodys);
      // With every key, so that the work does not tell which key was used.
      const results = await Promise.all(secrets.map((secret) => verify(compared, pin, optionsWith(secret))));
      return results.includes(true) && stored !== undefined;
    },
  };
}
