import { expect, test } from "vitest";
import { resources } from "./resources.ts";

type Texts = { [key: string]: string | Texts };

function keysOf(texts: Texts, prefix = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
}

function textsOf(texts: Texts): string[] {
  return Object.values(texts).flatMap((value) => (typeof value === "string" ? [value] : textsOf(value)));
}

const placeholders = (text: string) => [...text.matchAll(/{{\s*([^},\s]+)/g)].map((match) => match[1]).sort();

test.each(Object.keys(resources.en) as (keyof typeof resources.en)[])(
  "every %s text exists in both languages",
  (name) => {
    expect(keysOf(resources.it[name]).sort()).toEqual(keysOf(resources.en[name]).sort());
    expect(textsOf(resources.it[name]).every((text) => text.trim() !== "")).toBe(true);
  },
);

test.each(Object.keys(resources.en) as (keyof typeof resources.en)[])("%s texts fill in the same values", (name) => {
  const flat = (texts: Texts, prefix = ""): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
    );
  const italian = new Map(flat(resources.it[name]));
  for (const [key, text] of flat(resources.en[name])) {
    expect(placeholders(italian.get(key) ?? ""), key).toEqual(placeholders(text));
  }
});
