import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { readResponse, requestSettings } from "./settings.ts";

const request = (headers: Record<string, string | string[]>) =>
  ({ method: "POST", params: { name: "add_up" }, headers }) as unknown as FastifyRequest;

test("a request is the settings of its method, its path below the root and its headers", () => {
  const settings = requestSettings(request({ prefer: "count=exact", "x-many": ["a", "b"] }), true);
  expect(settings).toMatchObject({ method: "POST", path: "/rpc/add_up" });
  expect(JSON.parse(settings.headers)).toEqual({ prefer: "count=exact", "x-many": "a, b" });
  expect(requestSettings(request({}), false).path).toBe("/add_up");
});

test("settings contain no secret of a caller", () => {
  const { headers } = requestSettings(
    request({ authorization: "Bearer t", apikey: "k", cookie: "c=1", "proxy-authorization": "p", accept: "*/*" }),
    true,
  );
  expect(JSON.parse(headers)).toEqual({ accept: "*/*" });
});

test("a function sets the status and the headers of its response", () => {
  expect(readResponse({ status: null, headers: null })).toEqual({ headers: [] });
  expect(readResponse({ status: "", headers: "" })).toEqual({ headers: [] });
  expect(readResponse({ status: "202", headers: '[{"X-One": "1"}, {"X-Two": "é"}]' })).toEqual({
    status: 202,
    headers: [
      ["X-One", "1"],
      ["X-Two", "é"],
    ],
  });
});
