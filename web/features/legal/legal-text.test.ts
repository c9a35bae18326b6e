import { expect, test } from "vitest";
import { privacy } from "./privacy.ts";
import { terms } from "./terms.ts";

const numbersIn = (text: string) => text.match(/\d+/g) ?? [];

test.each(Object.entries({ privacy, terms }))(
  "%s has the same paragraphs with the same numbers in both languages",
  (_, { en, it }) => {
    // Times, ages and amounts are part of the contract in either language.
    expect(it.map(({ text }) => text.map(numbersIn))).toEqual(en.map(({ text }) => text.map(numbersIn)));
    expect(en.flatMap(({ text }) => text.flatMap(numbersIn))).toContain("16");
  },
);
