import { expect, test } from "vitest";
import { withHeartChange } from "./hearts.queries.ts";

const row = { id: "1", media_id: "a", comment_id: null, kind: "heart", guest_id: null, user_id: "ada" };
const change = (event: "INSERT" | "DELETE", values: object = {}) =>
  ({ event, table: "reactions", row: { ...row, ...values } }) as Parameters<typeof withHeartChange>[1];

test("a heart that arrives live counts once, and no longer once it is taken back", () => {
  const one = withHeartChange([], change("INSERT"));
  expect(one).toEqual([{ id: "1", media_id: "a", guest_id: null, user_id: "ada" }]);
  expect(withHeartChange(one, change("INSERT"))).toBe(one);
  expect(withHeartChange(one, change("DELETE", { media_id: undefined, kind: undefined }))).toEqual([]);
});

test("reactions of other kinds, to comments and to the memory itself are no hearts of photos", () => {
  for (const other of [{ kind: "smile" }, { media_id: null }, { comment_id: "c" }])
    expect(withHeartChange([], change("INSERT", other))).toEqual([]);
});
