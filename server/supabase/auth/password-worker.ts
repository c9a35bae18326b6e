import { randomUUID } from "node:crypto";
import { workerData } from "node:worker_threads";
import { type Algorithm, hashSync, verifySync } from "@node-rs/argon2";

export interface PasswordJob {
  password: string;
  /** The hash to compare with. Null never matches and takes the same time. If undefined, the password is hashed. */
  hash?: string | null;
}

export interface PasswordCost {
  /** The memory that a hash takes, in mebibytes. */
  mebibytes: number;
}

// Argon2id, with the passes and lanes of RFC 9106. A number, because the package's types lack the enum.
const ARGON2ID = 2 as Algorithm.Argon2id;
const { mebibytes } = workerData as PasswordCost;
const COST = { algorithm: ARGON2ID, memoryCost: mebibytes * 1024, timeCost: 3, parallelism: 4 };

// Created at the start. Creating it for the first unknown address would reveal that address by the duration.
const nobodys = hashSync(randomUUID(), COST);

/** Returns the new hash or, if a hash is given, whether the password matches it. */
export default function run({ password, hash }: PasswordJob): string | boolean {
  if (hash === undefined) return hashSync(password, COST);
  const isSame = verifySync(hash ?? nobodys, password);
  return isSame && hash !== null;
}
