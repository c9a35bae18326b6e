import { expect, test } from "vitest";
import { readMessage } from "./signed-message.ts";

const address = `0x${"ab".repeat(20)}`;
const heading = "app.example wants you to sign in with your Ethereum account:";
const fields = ["URI: https://app.example/login", "Version: 1", "Chain ID: 1", "Issued At: 2026-11-20T10:00:00.000Z"];
const message = (...lines: string[]) => lines.join("\n");
const read = (text: string) => readMessage(text, "Ethereum");

test("a message with all its fields is read", () => {
  const text = message(
    `https://${heading}`,
    address,
    "",
    "Welcome back.",
    "",
    ...fields,
    "Nonce: abcdefgh",
    "Expiration Time: 2026-11-20T11:00:00Z",
    "Not Before: 2026-11-20T09:00:00+01:00",
    "Request ID: 7",
    "Resources:",
    "- https://app.example/terms",
  );
  expect(read(text)).toEqual({
    domain: "app.example",
    address,
    statement: "Welcome back.",
    uri: "https://app.example/login",
    chainId: "1",
    nonce: "abcdefgh",
    issuedAt: new Date("2026-11-20T10:00:00Z"),
    expiresAt: new Date("2026-11-20T11:00:00Z"),
    notBefore: new Date("2026-11-20T08:00:00Z"),
  });
});

test.each([
  ["a blank line in the statement's place", message(heading, address, "", "", ...fields)],
  ["no statement", message(heading, address, "", ...fields)],
  ["fields in another order", message(heading, address, "", ...fields.toReversed())],
  ["a port", message(heading.replace("app.example", "localhost:3000"), address, "", ...fields)],
])("a message with %s is read", (_what, text) => {
  expect(read(text)).toMatchObject({ address, statement: undefined, uri: "https://app.example/login" });
});

test.each([
  ["no heading", message(address, "", ...fields)],
  ["another chain's heading", message(heading.replace("Ethereum", "Solana"), address, "", ...fields)],
  ["a user name in its domain", message(heading.replace("app", "app.example@evil"), address, "", ...fields)],
  ["a path in its domain", message(heading.replace("app.example", "evil.example/app.example"), address, "", ...fields)],
  ["no blank line after the address", message(heading, address, ...fields)],
  ["a field twice", message(heading, address, "", ...fields, "URI: https://evil.example/")],
  ["an unknown field", message(heading, address, "", ...fields, "Colour: blue")],
  [
    "a field in the statement's place and more below",
    message(heading, address, "", "URI: https://evil.example", ...fields),
  ],
  ["two lines of statement", message(heading, address, "", "One", "Two", "", ...fields)],
  ["no URI", message(heading, address, "", ...fields.slice(1))],
  ["another version", message(heading, address, "", ...fields).replace("Version: 1", "Version: 2")],
  ["no time", message(heading, address, "", ...fields.slice(0, 3))],
  ["a time in words", message(heading, address, "", ...fields.slice(0, 3), "Issued At: yesterday")],
  ["an expiry in words", message(heading, address, "", ...fields, "Expiration Time: never")],
  ["text after the resources", message(heading, address, "", ...fields, "Resources:", "- a", "Nonce: b")],
  ["line ends of two characters", message(heading, address, "", ...fields).replaceAll("\n", "\r\n")],
  ["an empty line at its end", message(heading, address, "", ...fields, "")],
])("a message with %s is refused", (_what, text) => {
  expect(read(text)).toBeUndefined();
});
