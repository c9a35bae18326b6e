import { expect, test } from "vitest";
import { cardCode, engravedLink } from "./card.ts";
import { CARD_FACE, isEngravable } from "./card-face.ts";
import { cardWords } from "./card-words.ts";

const widthOf = (text: string, size: number) => text.length * size * 0.5;
const wrap = (name: string, dates = "") => cardWords({ name, dates, language: "en" }, widthOf);

test("a short name fits one large line, with the instruction under the code", () => {
  expect(wrap("Rosa", "1931 – 2024")).toEqual([
    { text: "Rosa", y: CARD_FACE.name.y, size: 6 },
    { text: "1931 – 2024", y: CARD_FACE.dates.y, size: 3.4 },
    { text: "Scan to remember", y: CARD_FACE.caption.y, size: 2.7 },
  ]);
});

test("a long name breaks between its words, and every line fits the card", () => {
  const lines = wrap("Maria Antonietta Fernández Ćwiklińska").slice(0, 2);
  expect(lines.map(({ text }) => text)).toEqual(["Maria Antonietta", "Fernández Ćwiklińska"]);
  for (const name of ["A".repeat(48), "Maria Antonietta Fernández de la Ćwiklińska Rossi"]) {
    for (const { text, size } of wrap(name)) expect(widthOf(text, size)).toBeLessThanOrEqual(CARD_FACE.width + 1e-9);
  }
});

test("a card without a name has the instruction", () => {
  expect(wrap("").map(({ text }) => text)).toEqual(["Scan to remember"]);
});

test.each([
  ["2k7q-9xyz-0123", "2K7Q9XYZ0123"],
  [" 2K7Q 9XYZ OIL3 ", "2K7Q9XYZ0113"],
])("a typed code is normalised: %s", (typed, normalised) => {
  expect(cardCode(typed)).toBe(normalised);
});

test("the engraved address of a card is in capitals, which give a small QR code", () => {
  expect(engravedLink("https://skies.example", "2K7Q9XYZ0123")).toBe("HTTPS://SKIES.EXAMPLE/C/2K7Q9XYZ0123");
});

test.each([
  ["Zoë O’Connor-Łukasz (née D'Àvila)", true],
  ["Ελένη и Юрий, 4/5/2024", true],
  ["李白", false],
  ["Rosa 🌹", false],
  ["<script>", false],
])("%s can be engraved: %s", (text, can) => {
  expect(isEngravable(text)).toBe(can);
});
