import { expect, test } from "vitest";
import { isRetryable, problemOf } from "./upload-failure.ts";

test.each([
  ["POST", 413, "The object exceeded the maximum allowed size", "size"],
  ["POST", 400, '{"statusCode":"413","message":"The object exceeded the maximum allowed size"}', "size"],
  ["PATCH", 415, "", "type"],
  ["PATCH", 400, '{"message":"mime type text/plain is not supported"}', "type"],
  ["POST", 409, '{"error":"Duplicate","message":"The resource already exists"}', "stored"],
  ["PATCH", 409, "Upload-Offset conflict\n", "network"],
  ["POST", 507, "storage_full: There is no room left", "full"],
  ["POST", 402, "memory_limit: The plan allows one memory", "plan"],
  ["PATCH", 423, "", "network"],
  ["PATCH", 404, "The file for this url was not found\n", "network"],
  ["POST", 404, "Bucket not found", "failed"],
  ["POST", 502, "<html>Bad gateway</html>", "network"],
  ["POST", 200, "<!DOCTYPE html><h1>Welcome to the hotel's network</h1>", "network"],
  ["PATCH", 200, "\n<html><p>This device already exists. Duplicate JWT mime type</p></html>", "network"],
  ["POST", 403, "<html><h1>Blocked</h1></html>", "network"],
  ["POST", 404, "<!doctype html><h1>Not found</h1>", "network"],
  ["PATCH", 413, "<html><h1>Request Entity Too Large</h1></html>", "size"],
  ["PATCH", 400, "jwt expired", "expired"],
  ["HEAD", 401, "", "expired"],
  ["POST", 403, '{"message":"new row violates row-level security policy"}', "refused"],
  ["POST", 400, '{"message":"The name is not allowed"}', "failed"],
] as const)("to %s the answer %d %s means: %s", (method, status, body, problem) => {
  expect(problemOf({ method, status, body })).toBe(problem);
});

test("a refused file type cannot be retried, and full storage can", () => {
  expect(isRetryable("type")).toBe(false);
  expect(isRetryable("size")).toBe(false);
  expect(isRetryable("full")).toBe(true);
  expect(isRetryable("failed")).toBe(true);
});
