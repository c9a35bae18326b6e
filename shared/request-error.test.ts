import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf, ERRORS, RequestError, RetryLaterError } from "./request-error.ts";

const sources = ["server", "shared"]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path))))
  .filter((path) => /(?<!\.test)\.ts$/.test(path));
const matches = (pattern: RegExp) => sources.flatMap((path) => readFileSync(path, "utf8").match(pattern) ?? []);

test("every code that SQL raises is in the list, with its status", () => {
  const raised = readFileSync("db/schema.sql", "utf8").matchAll(/errcode = 'PT(\d{3})', hint = '(\w+)'/g);
  const statuses = Array.from(raised, ([, status, code]) => ({ code, status: Number(status) }));
  expect(statuses.length).toBeGreaterThan(20);
  expect(statuses).toEqual(statuses.map(({ code }) => ({ code, status: ERRORS[codeOf(code)][0] })));
});

test("a code that is not in the list is a bug", () => {
  expect(() => codeOf("made_up")).toThrow(TypeError);
});

test("no response spells out an error code, and the name of every error class ends in Error", () => {
  expect(matches(/(send|json)\(\s*\{[^}]*\bcode: "\w+"/g)).toEqual([]);
  expect(matches(/class \w+(?<!Error) extends \w*Error\b/g)).toEqual([]);
});

test("an error has its code's status and message unless the caller gives its own", () => {
  expect(new RequestError("not_found")).toMatchObject({ status: 404, message: "There is nothing here." });
  const error = new RetryLaterError("over_request_rate_limit", 1.2, { message: "Later", status: 503 });
  expect(error).toMatchObject({ status: 503, message: "Later", retryAfter: 2 });
});
