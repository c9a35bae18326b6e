import { expect, test } from "vitest";
import { cardCode } from "./card.ts";

test.each([
  "6bzb-rrcg-zx55",
  " 6BZB RRCG ZX55. ",
  "6BZB‑RRCG‑ZX55",
  "６ＢＺＢＲＲＣＧＺＸ５５",
  "٦BZBRRCGZX٥٥",
  "“6BZBRRCGZX55”",
  "6BZB\u200bRRCG\u00adZX55\ufeff",
])("the code of a card that is typed as %j is found", (typed) => {
  expect(cardCode(typed)).toBe("6BZBRRCGZX55");
});
