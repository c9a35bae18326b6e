import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Keyring, seal, unseal } from "./sealed.ts";

const secret: Keyring = [randomBytes(32)];

test("a sealed text can be opened again, and each sealing gives another ciphertext", () => {
  const [one, two] = [seal("ünïcode", secret, "a row"), seal("ünïcode", secret, "a row")];
  expect(one).not.toBe(two);
  expect([unseal(one, secret, "a row"), unseal(two, secret, "a row")]).toEqual(["ünïcode", "ünïcode"]);
});

test("a sealed text cannot be opened with another secret, for another row or after a changed byte", () => {
  const sealed = seal("a text", secret, "a row");
  const changed = Buffer.from(sealed, "base64");
  changed[30] = (changed[30] ?? 0) ^ 1;
  expect(() => unseal(sealed, [randomBytes(32)], "a row")).toThrow();
  expect(() => unseal(sealed, secret, "another row")).toThrow();
  expect(() => unseal(changed.toString("base64"), secret, "a row")).toThrow();
});
