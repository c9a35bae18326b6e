import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { SERVICE, VISITOR } from "../database/as-caller.ts";
import type { Services } from "../services.ts";
import { BadBearerError, type Identify } from "../supabase/callers.ts";
import { type Callers, endpoint } from "./endpoint.ts";
import { mountFunctions } from "./mount.ts";

const identify: Identify = async ({ authorization }) => {
  if (authorization === "Bearer bad") throw new BadBearerError(true, "JWT expired");
  if (authorization === "Bearer service") return SERVICE;
  return authorization ? { role: "authenticated", sub: "ada" } : VISITOR;
};
const services = {
  accounts: { identify },
  isForeign: ({ headers }) => headers.origin === "https://other.example",
} satisfies { accounts: object; isForeign: Services["isForeign"] } as unknown as Services;

const Body = z.object({ word: z.string() });
const of = (caller: keyof Callers) =>
  endpoint({ caller, ownPagesOnly: true, body: Body }, async (input) => ({
    word: input.body.word,
    role: "caller" in input ? (input as { caller: { role: string } }).caller.role : "nobody",
  }));
const app = fastify();
await app.register(
  mountFunctions(
    {
      unidentified: of("unidentified"),
      optional: of("optional"),
      anyone: of("anyone"),
      person: of("person"),
      staff: of("staff"),
      account: of("account"),
      response: endpoint({ caller: "unidentified" }, async () => new Response("text", { status: 202 })),
      payments: endpoint({ needs: "payments", caller: "unidentified" }, async () => ({})),
    },
    {},
    services,
  ),
);
afterAll(() => app.close());

const call = async (name: string, bearer?: string, payload = '{"word":"yes"}', more: Record<string, string> = {}) => {
  const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }), ...more };
  const reply = await app.inject({ method: "POST", url: `/${name}`, headers, payload });
  const { code, role } = reply.json() as { code?: string; role?: string };
  return `${reply.statusCode} ${code ?? role}`;
};

test.each<[keyof Callers, visitor: string, ended: string, person: string, service: string]>([
  ["unidentified", "200 nobody", "200 nobody", "200 nobody", "200 nobody"],
  ["optional", "200 anon", "200 anon", "200 authenticated", "200 service_role"],
  ["anyone", "200 anon", "401 bad_jwt", "200 authenticated", "200 service_role"],
  ["person", "401 not_signed_in", "401 bad_jwt", "200 authenticated", "200 service_role"],
  ["staff", "401 not_signed_in", "401 bad_jwt", "200 authenticated", "200 service_role"],
  ["account", "401 no_authorization", "401 bad_jwt", "401 no_authorization", "401 no_authorization"],
])("%s: a visitor, an ended session, a person and the service", async (kind, visitor, ended, person, service) => {
  expect(await Promise.all([call(kind), call(kind, "bad"), call(kind, "ada"), call(kind, "service")])).toEqual([
    visitor,
    ended,
    person,
    service,
  ]);
});

test("a page of another site is refused before all else, then the size of the body, the caller, and its shape", async () => {
  const nested = "[".repeat(5000);
  expect(await call("person", "bad", nested, { origin: "https://other.example" })).toBe("403 foreign_page");
  expect(await call("person", "bad", nested)).toBe("400 malformed");
  expect(await call("person", undefined, "{")).toBe("401 not_signed_in");
  expect(await call("person", "ada", "{")).toBe("400 malformed");
  expect(await call("person", "ada", "{}")).toBe("400 malformed");
});

test("a handler may answer with a response, and an endpoint without its service is unknown", async () => {
  const reply = await app.inject({ method: "POST", url: "/response" });
  expect([reply.statusCode, reply.body]).toEqual([202, "text"]);
  expect(await call("payments")).toBe("404 not_found");
});
