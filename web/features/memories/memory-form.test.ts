import { expect, test } from "vitest";
import type { Memory } from "../../data/memories.queries.ts";
import { changesOf, EMPTY_FORM, formValuesOf, MemoryFormValues } from "./memory-form.ts";

const formValues: MemoryFormValues = {
  ...EMPTY_FORM,
  name: "Nonna Rosa",
  birth: "1931-03-12",
  passing: "2019-05-04",
  story: "<p>Hello.</p><p>You.</p>",
};

const messages = (values: MemoryFormValues) =>
  MemoryFormValues.safeParse(values).error?.issues.map(({ path, message }) => [path[0], message]);

test("Spec §5: a memory without a name gets the error for a required field", () => {
  expect(messages({ ...formValues, name: "  " })).toEqual([["name", "required"]]);
});

test("a passing before the birth is an error, for a tribute only", () => {
  expect(messages({ ...formValues, passing: "1930-01-01" })).toEqual([["passing", "order"]]);
  expect(messages({ ...formValues, kind: "event", passing: "1930-01-01" })).toBeUndefined();
});

test("form values become a row, and the row becomes the same values", () => {
  expect(changesOf(formValues)).toEqual({
    kind: "tribute",
    person_name: "Nonna Rosa",
    description: "<p>Hello.</p><p>You.</p>",
    birth_date: "1931-03-12",
    passing_date: "2019-05-04",
    event_date: null,
  });
  expect(formValuesOf({ ...changesOf(formValues), id: "1" } as Memory)).toEqual(formValues);
});

test.each([
  ["1931", "1930"],
  ["1931-03", "1931-02-28"],
])("a person born %s cannot have died %s", (birth, passing) => {
  expect(messages({ ...formValues, birth, passing })).toEqual([["passing", "order"]]);
});

test.each([
  ["1931", "1931-02-28"],
  ["1931~", "1930"],
  ["1931", ""],
  ["", "196X"],
])("dates that may be in order are accepted: %s, %s", (birth, passing) => {
  expect(messages({ ...formValues, birth, passing })).toBeUndefined();
});

test("a date that is not finished says what is missing, and a draft is saved without it", () => {
  expect(messages({ ...formValues, birth: "?year", passing: "?day" })).toEqual([
    ["birth", "year"],
    ["passing", "day"],
  ]);
  expect(changesOf({ ...formValues, birth: "?year" })).toMatchObject({ birth_date: null, passing_date: "2019-05-04" });
});

test("an incomplete draft can be saved, without dates that are out of order", () => {
  expect(changesOf({ ...formValues, passing: "1930-01-01" })).toMatchObject({
    birth_date: "1931-03-12",
    passing_date: null,
  });
});
