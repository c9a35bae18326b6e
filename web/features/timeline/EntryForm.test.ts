import { expect, test } from "vitest";
import { entryFields, entryOf, fieldsOf, NO_FIELDS } from "./EntryForm.tsx";

const moment = (date: string) => ({ ...NO_FIELDS, title: "School", date });
const row = { id: "1", created_at: "2026-01-01", revision: 1 };

test.each(["1937", "1937~", "1937-09", "1937-22", "193X", "1937-09-01", "0988-02-29"])(
  "a moment keeps what is known of its date: %s",
  (date) => {
    expect(entryFields("tribute").safeParse(moment(date)).success).toBe(true);
    const entry = entryOf("tribute", moment(date));
    expect(entry.on_date).toBe(date);
    expect(fieldsOf({ ...row, ...entry }).date).toBe(date);
  },
);

test.each([
  [moment(""), "date"],
  [moment("?year"), "date"],
  [moment("?day"), "date"],
  [{ ...moment("1937"), title: " " }, "title"],
  [{ ...moment("1937"), note: "x".repeat(2001) }, "note"],
])("an invalid moment has an error at its field", (fields, path) => {
  const checked = entryFields("tribute").safeParse(fields);
  expect(checked.error?.issues.map((issue) => issue.path[0])).toContain(path);
});

test("a part of a programme has a time, and a day if it is another one", () => {
  const fields = { ...NO_FIELDS, title: "Supper", time: "19:30", place: "The barn" };
  expect(entryFields("event").safeParse(fields).success).toBe(true);
  const entry = entryOf("event", fields);
  expect(entry).toMatchObject({ on_date: null, starts_at: "19:30:00", place: "The barn" });
  expect(fieldsOf({ ...row, ...entry, starts_at: "19:30:00" })).toEqual(fields);
  expect(entryOf("event", { ...fields, date: "2026-07-10" }).on_date).toBe("2026-07-10");
});
