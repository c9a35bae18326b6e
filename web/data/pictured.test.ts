import { expect, test } from "vitest";
import type { MediaName, PersonEntry } from "./pictured.queries.ts";
import { picturedPeople } from "./pictured.ts";

const entry = (
  id: string,
  name: string,
  merged_into: string | null = null,
  other_names: string[] = [],
): PersonEntry => ({
  id,
  name,
  other_names,
  born_year: null,
  died_year: null,
  merged_into,
  revision: 1,
});
const on = (media_id: string, person_id: string, x: number | null = null): MediaName => ({
  media_id,
  person_id,
  x,
  y: x,
});
const idsOf = (people: readonly { id: string }[]) => people.map(({ id }) => id).join("");

test("merged entries are one person, with all names and each photo once", () => {
  const rows = [
    entry("a", "May", "b"),
    entry("b", "Maria", "c", ["Mimi"]),
    entry("c", "Zia Maria"),
    entry("d", "Anna"),
  ];
  const names = [on("1", "a"), on("1", "c", 0.4), on("2", "b"), on("3", "d")];
  const { people, byId, onPhotos } = picturedPeople(rows, names);
  expect(idsOf(people)).toBe("dc");
  expect(byId.get("a")).toBe(byId.get("c"));
  expect(byId.get("c")?.otherNames).toEqual(["May", "Maria", "Mimi"]);
  expect([...(byId.get("c")?.mediaIds ?? [])]).toEqual(["1", "2"]);
  expect(onPhotos.get("1")).toEqual([{ person: byId.get("c"), x: 0.4, y: 0.4 }]);
});

test("names on a photo are listed from left to right, then those without a point", () => {
  const rows = [entry("a", "Zoe"), entry("b", "Bea"), entry("c", "Ada"), entry("d", "Eva")];
  const { onPhotos } = picturedPeople(rows, [on("1", "a", 0.9), on("1", "b"), on("1", "c"), on("1", "d", 0.1)]);
  expect(idsOf(onPhotos.get("1")?.map(({ person }) => person) ?? [])).toBe("dacb");
});

test("an entry that the reader may not see, a circle, and a name without a person change nothing", () => {
  const rows = [entry("a", "May", "hidden"), entry("b", "Bea", "c"), entry("c", "Cleo", "b")];
  const { people, onPhotos } = picturedPeople(rows, [on("1", "a"), on("1", "gone"), on("2", "b")]);
  expect(people.map(({ name }) => name)).toContain("May");
  expect(onPhotos.get("1")?.map(({ person }) => person.name)).toEqual(["May"]);
  expect(onPhotos.get("2")).toHaveLength(1);
});
