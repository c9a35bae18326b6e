import { parseOptions } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { openPasswords } from "./passwords.ts";

const passwords = openPasswords(64);

test("a password is stored as argon2id with 64 MiB, three passes and four lanes", async () => {
  const hash = await passwords.hash("a good password");
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(parseOptions(hash)).toMatchObject({ memoryCost: 64 * 1024, timeCost: 3, parallelism: 4 });
});

test("only the password itself matches", async () => {
  const hash = await passwords.hash("a good password");
  expect(await passwords.matches("a good password", hash)).toBe(true);
  expect(await passwords.matches("a bad password", hash)).toBe(false);
});

test("no password matches without a stored hash", async () => {
  expect(await passwords.matches("a good password", undefined)).toBe(false);
});

test("a hash with another memory setting still matches", async () => {
  const hash = await openPasswords(8).hash("a good password");
  expect(await passwords.matches("a good password", hash)).toBe(true);
});

test("a burst of passwords queues up to a limit, and the others are told to retry later", async () => {
  const quick = openPasswords(8);
  const hash = await quick.hash("a good password");
  const outcomes = await Promise.allSettled(Array.from({ length: 110 }, () => quick.matches("wrong", hash)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(8);
  for (const { reason } of refused) {
    expect(reason.status).toBe(429);
    // The time of one password, by the average so far.
    expect(reason.retryAfter).toBeGreaterThanOrEqual(1);
  }
});

test("comparing without an account takes as long as with one", async () => {
  const quick = openPasswords(8);
  const hash = await quick.hash("a good password");
  const timed = async (user: string | undefined) => {
    const start = performance.now();
    await quick.matches("a bad password", user);
    return performance.now() - start;
  };
  await timed(undefined);
  const [absences, presences]: [number[], number[]] = [[], []];
  // Alternates, so that load on the machine affects both measurements equally.
  for (let n = 0; n < 15; n++) {
    absences.push(await timed(undefined));
    presences.push(await timed(hash));
  }
  const [absent, present] = [Math.min(...absences), Math.min(...presences)];
  expect(absent).toBeGreaterThan(present / 2);
});

test.each(["", "five5", "🌙🌙🌙🌙🌙"])(
  "Spec §5: Password must be at least 6 characters, so %j is refused",
  async (short) => {
    await expect(passwords.hash(short)).rejects.toMatchObject({
      status: 422,
      code: "weak_password",
      message: "Password must be at least 6 characters",
    });
  },
);
