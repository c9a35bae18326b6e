import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newTotp, qrSvg, stepOf } from "./totp.ts";

const { secret, uri } = newTotp({ issuer: "skies.example", label: "ada@example.com" });
const app = new TOTP({ secret: Secret.fromBase32(secret) });
const now = 1_800_000_015_000;
const codeAt = (seconds: number) => app.generate({ timestamp: now + seconds * 1000 });

test.each([
  [-60, undefined],
  [-30, -1],
  [0, 0],
  [30, 1],
  [60, undefined],
])("a code of %s seconds from now is of step %s", (seconds, expected) => {
  const step = stepOf(secret, codeAt(seconds), now);
  expect(step).toBe(expected === undefined ? undefined : 60_000_000 + expected);
});

test.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("%j is no code", (code) => {
  expect(stepOf(secret, code, now)).toBeUndefined();
});

test("the otpauth address has everything that an authenticator app needs", () => {
  expect(new URL(uri).protocol).toBe("otpauth:");
  expect(Object.fromEntries(new URL(uri).searchParams)).toEqual({
    issuer: "skies.example",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  expect(decodeURIComponent(uri)).toContain("totp/skies.example:ada@example.com");
});

test("the QR code needs no escaping in a data URL", async () => {
  const svg = await qrSvg(uri);
  expect(svg).toMatch(/^<svg [^#%]+<\/svg>$/);
});
