import { parseOptions } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { openPasswords } from "./passwords.ts";

const passwords = openPasswords();

test("a password is kept as argon2id with 19 MiB, two passes and one lane", async () => {
  const hash = await passwords.hash("a good password");
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(parseOptions(hash)).toMatchObject({ memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });
});

test("only the password itself matches", async () => {
  const hash = await passwords.hash("a good password");
  expect(await passwords.matches("a good password", hash)).toBe(true);
  expect(await passwords.matches("a bad password", hash)).toBe(false);
});

test("the dummy's own password opens nothing", async () => {
  expect(await passwords.matches("nobody's password", undefined)).toBe(false);
});

test("comparing with no account costs as much as comparing with one", async () => {
  const hash = await passwords.hash("a good password");
  const timed = async (known: string | undefined) => {
    const start = performance.now();
    await passwords.matches("a bad password", known);
    return performance.now() - start;
  };
  await timed(undefined);
  const [absences, presences]: [number[], number[]] = [[], []];
  // In turn, so that a busy machine is as busy for either.
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
