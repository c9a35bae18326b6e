import { expect, test } from "vitest";
import { privacy } from "./privacy.ts";
import { terms } from "./terms.ts";

test.each(Object.entries({ privacy, terms }))(
  "%s has as many paragraphs in each section in both languages",
  (_, text) => {
    expect(text.it.map((section) => section.text.length)).toEqual(text.en.map((section) => section.text.length));
  },
);
