import { expect, test } from "vitest";
import { invitationTokenIn, namesInvitation } from "./invitation-link.ts";

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
