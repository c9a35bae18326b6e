import { expect, test } from "vitest";
import { fromSqlError } from "./errors.ts";

const statusOf = (code: string, message = "A message") =>
  fromSqlError(Object.assign(new Error(message), { code }), { signedIn: false, reading: true }).status;

test.each<[string, number]>([
  ["P0001", 400],
  ["P0002", 500],
  ["21000", 500],
  ["22012", 400],
  ["23502", 400],
  ["23503", 409],
  ["23505", 409],
  ["23514", 400],
  ["28000", 403],
  ["2D000", 500],
  ["0L000", 403],
  ["0P000", 403],
  ["09000", 500],
  ["38000", 500],
  ["39000", 500],
  ["3B000", 500],
  ["40001", 500],
  ["42501", 401],
  ["42601", 400],
  ["42883", 404],
  ["42P01", 404],
  ["42P17", 500],
  ["54000", 500],
  ["55000", 500],
  ["58000", 500],
  ["F0000", 500],
  ["HV000", 500],
  ["PT402", 402],
  ["XX000", 500],
  ["ZZ999", 400],
])("SQLSTATE %s has the status of PostgREST, %i", (code, status) => {
  expect(statusOf(code)).toBe(status);
});

test("a change without a condition is the client's mistake", () => {
  expect(statusOf("21000", "UPDATE requires a WHERE clause")).toBe(400);
});
