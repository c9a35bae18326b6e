import { describe, expect, test } from "vitest";
import { Code, Credentials } from "./account.ts";
import { OpenShare } from "./share.ts";
import {
  asciiDigits,
  codeIn,
  invitationTokenIn,
  namesInvitation,
  pinIn,
  typedCode,
  typedShareId,
} from "./typed-text.ts";

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
  ["123456 or 654321", "123456or654321"],
])("the code of %j is %s", (text, code) => {
  expect(codeIn(text)).toBe(code);
});

test("forms accept what was pasted with an address or code", () => {
  expect(Code.parse({ code: "\u200b123 456 " }).code).toBe("123456");
  expect(Credentials.parse({ email: "Ada <Ada@Example.org>", password: "x" }).email).toBe("ada@example.org");
  expect(typedCode(" 1962")).toBe("1962");
});

test.each([".", ")", ",", " ", "\u200b", "&", ">", "»", "…", "!", "?x", "%20", "_", "*"])(
  "a link followed by %j keeps its id",
  (tail) => {
    expect(typedShareId(ID + tail)).toBe(ID);
    expect(typedShareId(`\u200b${ID}${tail}`)).toBe(ID);
    expect(OpenShare.parse({ shareId: ID + tail }).shareId).toBe(ID);
  },
);

const TOKEN = "3dc0ffee".repeat(8);
test.each([
  ["as it was sent", `#invitation=${TOKEN}`],
  ["with an encoded #", `%23invitation=${TOKEN}`],
  ["encoded once", `%23invitation%3D${TOKEN}`],
  ["encoded twice", `%2523invitation%253D${TOKEN}`],
  ["in the query", `?invitation=${TOKEN}`],
  ["in the query behind another", `?utm_source=mail&invitation=${TOKEN}&x=1`],
  ["in the query with its #", `?%23invitation=${TOKEN}`],
  ["with a full stop", `#invitation=${TOKEN}.`],
  ["in brackets", `#invitation=${TOKEN})>`],
  ["with an encoded bracket", `#invitation=${TOKEN}%3E`],
  ["in capitals", `#INVITATION=${TOKEN.toUpperCase()}`],
  ["with an escaped =", `#invitation=3D${TOKEN}`],
  ["wrapped as quoted-printable", `#invitation=3D${TOKEN.slice(0, 20)}=%0D%0A${TOKEN.slice(20)}`],
  ["wrapped with a space", `#invitation=${TOKEN.slice(0, 40)}%20${TOKEN.slice(40)}`],
  ["with an invisible character", `#invitation=\u200b${TOKEN}\ufeff`],
  ["before other words", `#invitation=${TOKEN} and a word`],
  ["without its #", `invitation=${TOKEN}`],
])("the token of an invitation's link is read %s", (_how, text) => {
  expect(namesInvitation(text)).toBe(true);
  expect(invitationTokenIn(text)).toBe(TOKEN);
});

test.each([
  "#invitation",
  "#invitation=",
  `#invitation=${TOKEN.slice(0, 63)}`,
  `#invitation=${TOKEN.slice(0, 32)}...`,
  `#invitation=${TOKEN}0`,
  `#invitation=${TOKEN.slice(0, 20)}%XX${TOKEN.slice(20)}`,
])("%s names an invitation without a token", (text) => {
  expect(namesInvitation(text)).toBe(true);
  expect(invitationTokenIn(text)).toBeUndefined();
});

test.each(["", "?lng=it", "#guest=abc", "#photos"])("%j names no invitation", (text) => {
  expect(namesInvitation(text)).toBe(false);
});
