import { expect, test } from "vitest";
import type { Memory, MemoryChanges } from "../../data/memories.queries.ts";
import { EditConflict } from "../../data/save-over.ts";
import { DraftClosed, type DraftTable, draftSaving } from "./draft-saving.ts";

const ROW: Memory = {
  id: "1",
  kind: "tribute",
  person_name: "",
  description: "",
  birth_date: null,
  passing_date: null,
  event_date: null,
  draft: true,
  cover_x: 0.5,
  cover_y: 0.5,
  media_order: "taken",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  revision: 1,
};

/** A table with one row. `cut` loses the answer to the next write. */
function tableOf(initial: Memory | undefined) {
  const state = { row: initial, cut: false };
  const table: DraftTable = {
    begin: async (changes) => {
      state.row ??= { ...ROW, ...changes };
      return state.row;
    },
    read: async () => ({ data: state.row ?? null, error: null }),
    async write({ revision, ...changes }) {
      if (!state.row?.draft) return { data: null, error: null };
      if (revision !== state.row.revision) return { data: null, error: { code: "PT409", hint: "conflict" } };
      state.row = { ...state.row, ...changes, revision: revision + 1 };
      if (!state.cut) return { data: state.row, error: null };
      state.cut = false;
      return { data: null, error: { code: "offline" } };
    },
  };
  return { state, table };
}

const FORM: MemoryChanges = {
  kind: "tribute",
  person_name: "",
  description: "",
  birth_date: null,
  passing_date: null,
  event_date: null,
};

/** The form of one tab; `others` are what it was shown of another tab. */
function tab(table: DraftTable, existing: Memory | null, edited: readonly (keyof MemoryChanges)[] = []) {
  const others: MemoryChanges[] = [];
  const saving = draftSaving(table, existing, (theirs) => {
    others.push(theirs);
    return edited.filter((name) => name in theirs);
  });
  return { ...saving, others };
}

test("two tabs keep what each has changed, and each is shown the other's", async () => {
  const { state, table } = tableOf(ROW);
  const [one, other] = [tab(table, ROW), tab(table, ROW)];
  await one.save({ ...FORM, person_name: "Rosa" });
  await other.save({ ...FORM, birth_date: "1921" });
  expect(state.row).toMatchObject({ person_name: "Rosa", birth_date: "1921" });
  expect(other.others).toEqual([{ person_name: "Rosa" }]);
});

test("the same field changed in two tabs is a conflict until somebody has chosen", async () => {
  const { state, table } = tableOf(ROW);
  const [one, other] = [tab(table, ROW), tab(table, ROW)];
  await one.save({ ...FORM, person_name: "Rosa" });
  const mine = { ...FORM, person_name: "Aldo" };
  const conflict = await other.save(mine).catch((error: unknown) => error);
  expect(conflict).toBeInstanceOf(EditConflict);
  await expect(other.save(mine)).rejects.toBeInstanceOf(EditConflict);
  expect(state.row?.person_name).toBe("Rosa");
  const { stored, fields } = conflict as EditConflict<Memory>;
  other.rebase(stored, fields);
  await other.save(mine);
  expect(state.row?.person_name).toBe("Aldo");
});

test("a save whose answer was lost is no other tab's", async () => {
  const { state, table } = tableOf(undefined);
  const { save } = tab(table, null);
  await save({ ...FORM, person_name: "R" });
  state.cut = true;
  await expect(save({ ...FORM, person_name: "Ro" })).rejects.toThrow();
  await save({ ...FORM, person_name: "Rosa", birth_date: "1921" });
  expect(state.row).toMatchObject({ person_name: "Rosa", birth_date: "1921" });
});

test("a field of another tab that is being edited here is a conflict when it is saved", async () => {
  const { state, table } = tableOf(ROW);
  const [one, other] = [tab(table, ROW), tab(table, ROW, ["person_name"])];
  await one.save({ ...FORM, person_name: "Rosa" });
  await other.save({ ...FORM, birth_date: "1921" });
  await expect(other.save({ ...FORM, birth_date: "1921", person_name: "Aldo" })).rejects.toBeInstanceOf(EditConflict);
  expect(state.row).toMatchObject({ person_name: "Rosa", birth_date: "1921" });
});

test("a draft that is none any more is closed, unless it has just these values", async () => {
  const { state, table } = tableOf(ROW);
  const { save } = tab(table, ROW);
  state.row = { ...ROW, person_name: "Rosa", draft: false, revision: 2 };
  await expect(save({ ...FORM, person_name: "Aldo" })).rejects.toEqual(new DraftClosed(true));
  await save({ ...FORM, person_name: "Rosa", draft: false });
  state.row = undefined;
  await expect(save({ ...FORM, person_name: "Aldo" })).rejects.toEqual(new DraftClosed(false));
});
