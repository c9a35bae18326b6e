import { expect, test } from "vitest";
import { ChangedMeanwhile, changedFields, saveOver } from "./save-over.ts";

interface Entry {
  title: string;
  place: string;
  plans: string[] | null;
  updated_at: string;
}
const base: Entry = { title: "Wedding", place: "Torno", plans: null, updated_at: "1" };

/** A stored row that is changed only by updates that name its version. */
function store(row: Entry | null) {
  const writes: Partial<Entry>[] = [];
  return {
    writes,
    row: () => row,
    failure: "Failed to save",
    read: async () => ({ data: row, error: null }),
    write: async (changes: Partial<Entry>, version: string) => {
      writes.push(changes);
      if (version !== row?.updated_at) return { data: null, error: null };
      row = { ...row, ...changes, updated_at: `${version}+` };
      return { data: row, error: null };
    },
  };
}

test("only changed fields are sent, over the version on which they are based", async () => {
  const table = store(base);
  await saveOver(base, { title: "Wedding", place: "Turin", plans: null }, table);
  expect(table.writes).toEqual([{ place: "Turin" }]);
  expect(changedFields(base, { plans: ["a"], title: "Wedding" })).toEqual({ plans: ["a"] });
});

test("without a change nothing is sent", async () => {
  const table = store(base);
  expect(await saveOver(base, { title: "Wedding" }, table)).toBe(base);
  expect(table.writes).toEqual([]);
});

test("changes of other fields stay", async () => {
  const table = store({ ...base, title: "The wedding", updated_at: "7" });
  const saved = await saveOver(base, { place: "Turin" }, table);
  expect(saved).toMatchObject({ title: "The wedding", place: "Turin" });
});

test("a change of the same field is a conflict with both values, and nothing is saved", async () => {
  const table = store({ ...base, place: "Milan", updated_at: "2" });
  const saving = saveOver(base, { title: "The wedding", place: "Turin" }, table);
  const conflict = (await saving.catch((error: unknown) => error)) as ChangedMeanwhile<Entry>;
  expect(conflict).toBeInstanceOf(ChangedMeanwhile);
  expect(conflict).toMatchObject({ fields: ["place"], changes: { title: "The wedding", place: "Turin" } });
  expect(conflict.now.place).toBe("Milan");
  expect(conflict.others).toEqual({ title: "The wedding" });
  expect(table.row()).toMatchObject({ title: "Wedding", place: "Milan" });
  // Saving again over the newer row is a decision.
  await saveOver(conflict.now, conflict.changes, table);
  expect(table.row()).toMatchObject({ title: "The wedding", place: "Turin" });
});

test("the same change by two people is no conflict, and a repeated request neither", async () => {
  const table = store({ ...base, place: "Turin", updated_at: "2" });
  expect(await saveOver(base, { place: "Turin" }, table)).toMatchObject({ place: "Turin", updated_at: "2" });
});

test("a deleted row is a failure", async () => {
  await expect(saveOver(base, { place: "Turin" }, store(null))).rejects.toThrow("Failed to save");
});
