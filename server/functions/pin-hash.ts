import { randomUUID } from "node:crypto";
import { type Algorithm, hash, type Options, verify } from "@node-rs/argon2";

/** Keeps PINs: slow, because ten thousand are soon tried, and keyed, because a copy of the table must not be enough. */
export interface PinHash {
  /** A salted hash to store; another one each time. */
  make(pin: string): Promise<string>;
  /** Whether the PIN is the stored one. Without a stored one: false, after the same work. */
  matches(stored: string | undefined, pin: string): Promise<boolean>;
}

/** Argon2id with 19 MiB, two passes, one lane, keyed with `secret`. */
export function pinHash(secret: Uint8Array): PinHash {
  // The package declares its enum as ambient, which isolated modules can not read: 2 is Argon2id.
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
