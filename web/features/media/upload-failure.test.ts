import { expect, test } from "vitest";
import { problemOfResponse } from "./upload-failure.ts";

test.each([
  [413, "The object exceeded the maximum allowed size", "size"],
  [400, '{"statusCode":"413","message":"The object exceeded the maximum allowed size"}', "size"],
  [415, "", "type"],
  [400, '{"message":"mime type text/plain is not supported"}', "type"],
  [409, '{"error":"Duplicate","message":"The resource already exists"}', "stored"],
  [423, "", "network"],
  [502, "<html>Bad gateway</html>", "network"],
  [403, '{"message":"new row violates row-level security policy"}', "failed"],
] as const)("the answer %d %s means: %s", (status, body, problem) => {
  expect(problemOfResponse(status, body)).toBe(problem);
});
