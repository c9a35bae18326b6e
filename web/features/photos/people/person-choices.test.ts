import { expect, test } from "vitest";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { newName, personChoices, personValues, yearsText } from "./person-choices.ts";

const person = (name: string, photos = 0, otherNames: string[] = []): PicturedPerson => ({
  id: name,
  name,
  otherNames,
  bornYear: null,
  diedYear: null,
  revision: 1,
  entryIds: [name],
  ownOtherNames: otherNames,
  merged: [],
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

test("a person's form is read as the database stores it", () => {
  const typed = (fields: object) => personValues({ name: "Maria", others: "", born: "", died: "", ...fields });
  expect(typed({ others: " Aunt  May; Mimi, Maria,,Mimi", born: " 1931", died: "2019 " }).values).toEqual({
    name: "Maria",
    other_names: ["Aunt May", "Mimi"],
    born_year: 1931,
    died_year: 2019,
  });
  expect(typed({ name: " \u200b" }).faults).toEqual({ name: "empty" });
  expect(typed({ name: "x".repeat(201), others: "y".repeat(201) }).faults).toEqual({ name: "long", others: "long" });
  expect(typed({ others: Array.from({ length: 21 }, (_, n) => `N${n}`).join() }).faults).toEqual({ others: "many" });
  expect(typed({ born: "0", died: "10000" }).faults).toEqual({ born: "year", died: "year" });
  expect(typed({ born: "about 1930" }).faults).toEqual({ born: "year" });
  expect(typed({ born: "1950", died: "1949" }).faults).toEqual({ died: "order" });
  expect(typed({ born: "1950", died: "1949" }).values).toBeUndefined();
});
