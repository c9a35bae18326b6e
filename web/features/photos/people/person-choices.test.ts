import { expect, test } from "vitest";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { newName, personChoices, yearsText } from "./person-choices.ts";

const person = (name: string, photos = 0, otherNames: string[] = []): PicturedPerson => ({
  id: name,
  name,
  otherNames,
  bornYear: null,
  diedYear: null,
  revision: 1,
  entryIds: [name],
  mediaIds: new Set(Array.from({ length: photos }, (_, n) => String(n))),
});
const people = [person("Rosa Bianchi", 1), person("Marta", 9), person("Zia Rósa", 4, ["Rosetta"]), person("Rosa", 2)];
const names = (text: string) => personChoices(people, text).map(({ name }) => name);

test("people are offered by any of their names, the nearest first", () => {
  expect(names("rosa")).toEqual(["Rosa", "Rosa Bianchi", "Zia Rósa"]);
  expect(names("rosett")).toEqual(["Zia Rósa"]);
  expect(names("bianc")).toEqual(["Rosa Bianchi"]);
  expect(names("osa")).toEqual([]);
});

test("without a text, those with most photos are offered", () => {
  expect(names(" ")).toEqual(["Marta", "Zia Rósa", "Rosa", "Rosa Bianchi"]);
});

test("a new name is what was typed on one line, neither empty nor too long", () => {
  expect(newName("  Aunt   May\u200b ")).toBe("Aunt May");
  expect(newName(" \u00a0 ")).toBeUndefined();
  expect(newName("x".repeat(201))).toBeUndefined();
});

test("years are shown as far as they are known", () => {
  expect(yearsText({ bornYear: 1923, diedYear: 1998 })).toBe("1923–1998");
  expect(yearsText({ bornYear: 1923, diedYear: null })).toBe("1923–");
  expect(yearsText({ bornYear: null, diedYear: null })).toBeUndefined();
});
