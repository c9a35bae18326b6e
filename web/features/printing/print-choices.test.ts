import { expect, test } from "vitest";
import type { HostReply } from "../../data/day-replies.queries.ts";
import { byName, chosenLinks, comingOf, formatOf, linesOf, placeNames } from "./print-choices.ts";
import type { PrintedLink, Prints } from "./printing.queries.ts";

const reply = (id: string, names: string[], changes: Partial<HostReply> = {}) =>
  ({ id, names, answer: "yes", waiting_since: null, ...changes }) as HostReply;
const prints = (changes: Partial<Prints>) => ({ extra_names: [], left_out: [], ...changes }) as unknown as Prints;
const link = (id: string, label: string) => ({ id, label }) as PrintedLink;

test("who said yes and has a place gets a place card, each person of a household by a key of their own", () => {
  const coming = comingOf(
    [
      reply("a", ["Anna", "", ""]),
      reply("b", ["Ben"], { answer: "no" }),
      reply("c", ["Carla"], { waiting_since: "2026-05-01" }),
      reply("d", ["Dora"], { answer: "maybe" }),
      reply("e", ["Ezio"], { answer: null }),
      reply("f", ["Anna"]),
    ],
    (name) => `Guest of ${name}`,
  );
  expect(coming.map(({ name }) => name)).toEqual(["Anna", "Guest of Anna", "Guest of Anna", "Anna"]);
  expect(new Set(coming.map(({ key }) => key)).size).toBe(4);
  const [, , second] = coming;
  const design = prints({ left_out: [second?.key ?? ""], extra_names: ["Nonna", " "] });
  expect(placeNames(coming, design)).toEqual(["Anna", "Guest of Anna", "Anna", "Nonna"]);
});

test("tables are in the order of their numbers, and only the chosen ones are printed", () => {
  const links = byName([link("1", "Table 10"), link("2", "Table 9"), link("3", "Chapter")], "en");
  expect(links.map(({ label }) => label)).toEqual(["Chapter", "Table 9", "Table 10"]);
  const choices = { bleed: false, copies: 1, printsSecret: true, placeCode: false, linkId: "3", linkIds: ["1", "2"] };
  const chosen = (changes: { format: "a5" | "places"; codes: "one" | "each" }, placeCode = false) =>
    chosenLinks(links, { ...choices, ...changes, placeCode }).map(({ id }) => id);
  expect(chosen({ format: "a5", codes: "one" })).toEqual(["3"]);
  expect(chosen({ format: "a5", codes: "each" })).toEqual(["2", "1"]);
  expect(chosen({ format: "places", codes: "each" })).toEqual([]);
  expect(chosen({ format: "places", codes: "each" }, true)).toEqual(["3"]);
});

test("names are read from lines, and an unknown format is the usual one", () => {
  expect(linesOf(" Table 1 \n\n Table 2\nTable 3", 2)).toEqual(["Table 1", "Table 2"]);
  expect(linesOf("x".repeat(200), 9)).toEqual(["x".repeat(100)]);
  expect([formatOf("a3"), formatOf("a9"), formatOf(null)]).toEqual(["a3", "cards8", "cards8"]);
});
