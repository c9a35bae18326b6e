import { expect, test } from "vitest";
import { claimsIn } from "./token-claims.ts";

test("a token's claims are decoded exactly", () => {
  const claims = { aal: "aal2", user_metadata: { full_name: "Zoë Núñez ≥ ?" } };
  const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
  expect(claimsIn(`header.${body}.signature`)).toEqual(claims);
});
