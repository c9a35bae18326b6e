import { expect, test } from "vitest";
import { changedFields, EditConflict, saveOver, valuesBefore } from "./save-over.ts";

interface Entry {
  title: string;
  place: string;
  plans: string[] | null;
  revision: number;
}
const base: Entry = { title: "Wedding", place: "Torno", plans: null, revision: 1 };

/** A stored row that refuses updates of another revision, like the database. */
function store(row: Entry | null, meanwhile: () => void = () => {}) {
  const writes: Partial<Entry>[] = [];
  return {
    writes,
    row: () => row,
    change: (changes: Partial<Entry>) => {
      row = row && { ...row, ...changes, revision: row.revision + 1 };
    },
    failure: "Failed to save",
    read: async () => ({ data: row, error: null }),
    write: async (changes: Partial<Entry>) => {
      meanwhile();
      writes.push(changes);
      if (!row) return { data: null, error: null };
      if (changes.revision !== row.revision) return { data: null, error: { code: "PT409", hint: "conflict" } };
      row = { ...row, ...changes, revision: row.revision + 1 };
      return { data: row, error: null };
    },
  };
}

const conflictOf = async (saving: Promise<unknown>) => {
  const error = await saving.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EditConflict);
  return error as EditConflict<Entry>;
};

test("only changed fields are sent, with the revision on which they are based", async () => {
  const table = store(base);
  await saveOver(base, { title: "Wedding", place: "Turin", plans: null }, table);
  expect(table.writes).toEqual([{ place: "Turin", revision: 1 }]);
  expect(changedFields(base, { plans: ["a"], title: "Wedding" })).toEqual({ plans: ["a"] });
});

test("without a change nothing is sent", async () => {
  const table = store(base);
  expect(await saveOver(base, { title: "Wedding" }, table)).toBe(base);
  expect(table.writes).toEqual([]);
});

test("changes of other fields stay, and nobody is asked", async () => {
  const table = store({ ...base, title: "The wedding", revision: 7 });
  const saved = await saveOver(base, { place: "Turin" }, table);
  expect(saved).toEqual({ ...base, title: "The wedding", place: "Turin", revision: 8 });
});

test("a change of the same field is a conflict with both values, and nothing is saved", async () => {
  const table = store({ ...base, place: "Milan", revision: 2 });
  const conflict = await conflictOf(saveOver(base, { title: "The wedding", place: "Turin" }, table));
  expect(conflict).toMatchObject({ fields: ["place"], changes: { title: "The wedding", place: "Turin" } });
  expect(conflict.stored.place).toBe("Milan");
  expect(conflict.others).toEqual({ title: "The wedding" });
  expect(conflict.both({ place: 100 })).toEqual({ title: "The wedding", place: "Milan\n\nTurin" });
  expect(conflict.both({ place: 10 })).toBeUndefined();
  expect(table.row()).toMatchObject({ title: "Wedding", place: "Milan" });
  // Saving again over the newer row is a decision.
  await saveOver(conflict.stored, conflict.changes, table);
  expect(table.row()).toMatchObject({ title: "The wedding", place: "Turin" });
});

test("a decision is overtaken by a still newer change like any other save", async () => {
  const table = store({ ...base, place: "Milan", revision: 2 });
  const conflict = await conflictOf(saveOver(base, { place: "Turin" }, table));
  table.change({ place: "Rome" });
  const again = await conflictOf(saveOver(conflict.stored, conflict.changes, table));
  expect(again.stored.place).toBe("Rome");
});

test("the same change by two people is no conflict, and a repeated request neither", async () => {
  const table = store({ ...base, place: "Turin", revision: 2 });
  expect(await saveOver(base, { place: "Turin" }, table)).toMatchObject({ place: "Turin", revision: 2 });
});

test("a field that was changed and changed back is no conflict", async () => {
  const table = store({ ...base, revision: 3 });
  expect(await saveOver(base, { place: "Turin" }, table)).toMatchObject({ place: "Turin", revision: 4 });
});

test("an undo restores what the save replaced, unless somebody has changed it since", async () => {
  const table = store(base);
  const saved = await saveOver(base, { place: "Turin" }, table);
  expect(valuesBefore(base, { place: "Turin", title: "Wedding" })).toEqual({ place: "Torno" });
  table.change({ title: "The wedding" });
  const undone = await saveOver(saved, valuesBefore(base, { place: "Turin" }), table);
  expect(undone).toMatchObject({ title: "The wedding", place: "Torno" });

  const savedAgain = await saveOver(undone, { place: "Turin" }, table);
  table.change({ place: "Milan" });
  await conflictOf(saveOver(savedAgain, { place: "Torno" }, table));
  expect(table.row()?.place).toBe("Milan");
});

test("a row that changes with every attempt is a failure, not a loop", async () => {
  let title = 0;
  const table = store(base, () => table.change({ title: `${title++}` }));
  await expect(saveOver(base, { place: "Turin" }, table)).rejects.toThrow("Failed to save");
});

test("a deleted row is a failure", async () => {
  await expect(saveOver(base, { place: "Turin" }, store(null))).rejects.toThrow("Failed to save");
});
