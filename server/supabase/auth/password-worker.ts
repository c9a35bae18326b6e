import { randomUUID } from "node:crypto";
import { workerData } from "node:worker_threads";
import { type Algorithm, hashSync, verifySync } from "@node-rs/argon2";

export interface PasswordJob {
  password: string;
  /** The hash to compare with; null takes the same time. If absent, the password is hashed. */
  hash?: string | null;
}

/** What the thread is started with. */
export interface PasswordCost {
  /** Mebibytes. */
  mebibytes: number;
}

// Argon2id with the passes and lanes of RFC 9106. The package's types lack its enum, so this is its number.
const ARGON2ID = 2 as Algorithm.Argon2id;
const { mebibytes } = workerData as PasswordCost;
const COST = { algorithm: ARGON2ID, memoryCost: mebibytes * 1024, timeCost: 3, parallelism: 4 };

// Made at the start, so that the first unknown address takes no longer than others.
const nobodys = hashSync(randomUUID(), COST);

/** The new hash, or whether the password is the one that was hashed. */
export default function run({ password, hash }: PasswordJob): string | boolean {
  if (hash === undefined) return hashSync(password, COST);
  const isSame = verifySync(hash ?? nobodys, password);
  return isSame && hash !== null;
}
