import { describe, expect, test } from "vitest";
import { Code, Credentials } from "./account.ts";
import { OpenShare } from "./share.ts";
import { pinIn } from "./typed-pin.ts";
import { asciiDigits, codeIn, typedCode, typedShareId } from "./typed-text.ts";

const ID = "0123456789ABCDEFGHIJKL";
const OTHER = "zyxwvutsrqponmlkjihgfe";
const url = (id: string) => `https://skies.example/shared/${id}`;

describe("digits of every script become ASCII digits", () => {
  test.each(["٤٨٢١", "۴۸۲۱", "४८२१", "৪৮২১", "４８２１", "𝟒𝟖𝟐𝟏", "𝟺𝟾𝟸𝟷", "๔๘๒๑", "4821"])("%s", (digits) => {
    expect(asciiDigits(digits)).toBe("4821");
    expect(pinIn(digits)).toBe("4821");
  });
});

test.each([
  ["4821", "4821"],
  [" 48 21 ", "4821"],
  ["48-21", "4821"],
  ["4\u200b8\u00a021", "4821"],
  ["PIN: 4821", "4821"],
  ["Il PIN è 4821.", "4821"],
  ["the pin is 4821", "4821"],
  ["Codice: 4 8 2 1", "4821"],
  [`In memory of Nonna Rosa (1921–2019)\n${url(ID)}\nPIN: 4821`, "4821"],
  [`${url(ID)} PIN 4821`, "4821"],
  [`Nonna Rosa on Skies:\n${url(ID)}\nPIN: 4821\n\nNonno Piero on Skies:\n${url(OTHER)}\nPIN: 1111`, "4821"],
  [`PIN: 4821\nPIN: 4821`, "4821"],
  ["“4821”", "4821"],
  ["(4821)", "4821"],
  ["*4821*", "4821"],
  ["4\ufe0f\u20e38\ufe0f\u20e32\ufe0f\u20e31\ufe0f\u20e3", "4821"],
  ["PIN\u200f: \u2068٤٨٢١\u2069", "4821"],
])("the PIN of %j is %s", (text, pin) => {
  expect(pinIn(text, ID)).toBe(pin);
});

test.each([
  "",
  "482",
  "48210",
  "Nonna Rosa (1921–2019)",
  "born 1921",
  url(ID),
  `${url(OTHER)}\nPIN: 4821`,
  "PIN: 4821 or PIN: 1111",
  "PIN: 4821 or 1111",
  "PIN 4821/1111",
  "PIN: 482156",
  "PIN: 4821 56",
  "call +44 20 7946 0958",
  "opinion 4821",
])("%j contains no PIN of this link, so nothing is tried", (text) => {
  expect(pinIn(text, ID)).toBeUndefined();
});

test.each([
  ["123 456", "123456"],
  ["Your code: 123456\nIt is valid for 60 minutes.", "123456"],
  ["١٢٣٤٥٦", "123456"],
  ["123-456", "123456"],
  ["“123 456”", "123456"],
  ["https://skies.example/auth/v1/verify?token=a654321 code 123456", "123456"],
  ["pkce_654321x 123456", "123456"],
  ["123456 or 654321", "123456or654321"],
])("the code of %j is %s", (text, code) => {
  expect(codeIn(text)).toBe(code);
});

test("forms accept what was pasted with an address or code", () => {
  expect(Code.parse({ code: "\u200b123 456 " }).code).toBe("123456");
  expect(Credentials.parse({ email: "Ada <Ada@Example.org>", password: "x" }).email).toBe("ada@example.org");
  expect(typedCode(" 1962")).toBe("1962");
});

test.each([".", ")", ",", " ", "\u200b", "&", ">", "»", "…", "!", "?x", "%20", "_", "*", "4821", "PIN"])(
  "a link followed by %j keeps its id",
  (tail) => {
    expect(typedShareId(ID + tail)).toBe(ID);
    expect(typedShareId(`\u200b${ID}${tail}`)).toBe(ID);
    expect(typedShareId(`(%20${ID}${tail}`)).toBe(ID);
    expect(OpenShare.parse({ shareId: ID + tail }).shareId).toBe(ID);
  },
);
