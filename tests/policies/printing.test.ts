import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId } = world;
const { owner, "co-owner": coOwner } = world.callers;

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);

test("words of two managers do not overwrite each other unseen", async () => {
  const write = (caller: Caller, title: string, revision: number) =>
    run(caller, "update memory_prints set title = $2, revision = $3 where memory_id = $1", [memoryId, title, revision]);
  await write(owner, "Anna & Marco", 1);
  await expect(write(coOwner, "Marco & Anna", 1)).rejects.toMatchObject({ code: "PT409", hint: "conflict" });
  await write(coOwner, "Marco & Anna", 2);
  expect(await run(owner, "select title, revision from memory_prints")).toEqual([
    { title: "Marco & Anna", revision: 3 },
  ]);
});

test.each([
  ["a title of 121 letters", "title = repeat('x', 121)"],
  ["words of 301 letters", "words = repeat('x', 301)"],
  ["another look", "design = 'gold'"],
  ["501 further names", "extra_names = array_fill('x'::text, array[501])"],
  ["a further name that is null", "extra_names = array[null]::text[]"],
  ["further names without an end", "extra_names = array[repeat('x', 50001)]"],
])("%s is refused", async (_what, change) => {
  await expect(run(owner, `update memory_prints set ${change}`)).rejects.toMatchObject({ code: "23514" });
});

describe("an order of service", () => {
  const item = (changes: object = {}) => ({
    id: randomUUID(),
    kind: "hymn",
    title: "Abide with me",
    by: "",
    text: "",
    ...changes,
  });
  const write = (items: unknown) =>
    run(owner, "update memory_services set items = $2 where memory_id = $1", [memoryId, JSON.stringify(items)]);

  test("has up to 60 entries of the six kinds, with texts of 10,000 letters", async () => {
    const kinds = ["hymn", "reading", "prayer", "music", "words", "part"];
    await write(Array.from({ length: 60 }, (_, at) => item({ kind: kinds[at % 6] })));
    await write([item({ text: "x".repeat(10_000) })]);
    await expect(write(Array.from({ length: 61 }, () => item()))).rejects.toMatchObject({ hint: "too_many_items" });
  });

  const same = item();
  test.each<[string, unknown]>([
    ["no list", {}],
    ["a text instead of an entry", ["hymn"]],
    ["an entry without a title", [{ ...item(), title: undefined }]],
    ["a title that is a number", [item({ title: 1 })]],
    ["another kind", [item({ kind: "dance" })]],
    ["another field", [item({ photo: "x" })]],
    ["an id twice", [same, same]],
    ["a title of 201 letters", [item({ title: "x".repeat(201) })]],
    ["a text of 10,001 letters", [item({ text: "x".repeat(10_001) })]],
  ])("%s is refused", async (_what, items) => {
    await expect(write(items)).rejects.toMatchObject({ code: "PT400" });
  });
});
