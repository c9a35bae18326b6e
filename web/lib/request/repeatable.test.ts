import { expect, test } from "vitest";
import { isRepeatable } from "./repeatable.ts";

const at = "https://skies.example";

test.each([
  ["GET", "/rest/v1/memories"],
  ["HEAD", "/rest/v1/memories"],
  ["PUT", "/auth/v1/user"],
  ["DELETE", "/rest/v1/memories?id=eq.1"],
  ["PATCH", "/rest/v1/memories?id=eq.1"],
  ["POST", "/storage/v1/object/sign/media"],
  ["POST", "/storage/v1/object/list/media"],
])("%s %s may be sent again", (method, path) => {
  expect(isRepeatable(at + path, { method })).toBe(true);
});

test.each([
  ["POST", "/rest/v1/memories"],
  ["POST", "/rest/v1/rpc/apply_voucher"],
  ["POST", "/functions/v1/open-share"],
  ["POST", "/auth/v1/token?grant_type=refresh_token"],
  ["POST", "/auth/v1/signup"],
  ["POST", "/storage/v1/object/media/a.jpg"],
  ["PATCH", "/storage/v1/upload/resumable/1"],
])("%s %s is sent once", (method, path) => {
  expect(isRepeatable(at + path, { method })).toBe(false);
});

test("a row with an id made here may be sent again, as an upsert says", () => {
  const url = `${at}/rest/v1/memories?on_conflict=id`;
  expect(isRepeatable(url, { method: "POST", headers: { Prefer: "resolution=ignore-duplicates" } })).toBe(true);
  expect(isRepeatable(url, { method: "POST", headers: { Prefer: "return=minimal" } })).toBe(false);
});

test("a request without a method is a GET, and a Request speaks for itself", () => {
  expect(isRepeatable(`${at}/config.json`)).toBe(true);
  expect(isRepeatable(new Request(`${at}/rest/v1/memories`, { method: "POST" }))).toBe(false);
  expect(isRepeatable("/rest/v1/memories")).toBe(true);
});
