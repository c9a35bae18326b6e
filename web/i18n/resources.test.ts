import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Texts = { [key: string]: string | Texts };

const read = (language: "en" | "it", name: string): Texts =>
  JSON.parse(readFileSync(new URL(`${language}/${name}`, import.meta.url), "utf8"));

function flat(texts: Texts, prefix = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/{{\s*([^},\s]+)/g)].map((match) => match[1]).sort();

test.each(readdirSync(new URL("en", import.meta.url)))(
  "%s has the same texts and placeholders in both languages",
  (name) => {
    const english = flat(read("en", name));
    const italian = new Map(flat(read("it", name)));
    expect([...italian.keys()].sort()).toEqual(english.map(([key]) => key).sort());
    expect([...italian.values()].every((text) => text.trim() !== "")).toBe(true);
    for (const [key, text] of english) expect(placeholders(italian.get(key) ?? ""), key).toEqual(placeholders(text));
  },
);
