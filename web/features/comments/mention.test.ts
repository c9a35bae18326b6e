import { expect, test } from "vitest";
import { mentionedIn, suggested, wishAt, withMention } from "./mention.ts";

const people = [
  { id: "1", name: "Anna Rossi", role: "owner" },
  { id: "2", name: "Élodie Roy", role: "viewer" },
  { id: "3", name: "", role: "viewer" },
];

test.each([
  ["@", { from: 0, text: "" }],
  ["For @an", { from: 4, text: "an" }],
  ["For @anna ro", { from: 4, text: "anna ro" }],
  ["(@el", { from: 1, text: "el" }],
  ["ada@example", undefined],
  ["@anna\nthen", undefined],
  ["@ anna", undefined],
  ["no one", undefined],
])("after %j names are suggested for: %j", (text, typed) => {
  expect(wishAt(text, text.length)).toEqual(typed);
});

test("people are found by any word of their name, without its accents", () => {
  const names = (typed: string) => suggested(people, typed).map(({ name }) => name);
  expect(names("")).toEqual(["Anna Rossi", "Élodie Roy"]);
  expect(names("elo")).toEqual(["Élodie Roy"]);
  expect(names("ro")).toEqual(["Anna Rossi", "Élodie Roy"]);
  expect(names("x")).toEqual([]);
});

test("a chosen name replaces the typed part, and its person is kept while the name remains", () => {
  const [anna] = people;
  const { text, caret } = withMention(
    "For @an, with love",
    { from: 4, text: "an" },
    anna ?? { id: "", name: "", role: "" },
  );
  expect(text).toBe("For @Anna Rossi , with love");
  expect(caret).toBe("For @Anna Rossi ".length);
  expect(mentionedIn(text, people)).toEqual(["1"]);
  expect(mentionedIn("For Anna Rossi", people)).toEqual([]);
});
