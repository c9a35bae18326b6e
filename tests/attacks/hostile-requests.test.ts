import { describe, expect, test } from "vitest";
import { type HostileAnswer, hostileRequests, type Surface } from "../support/hostile-requests.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const ada = await signUp(server, "Ada");
const memory = (await ada.client.from("memories").insert({ person_name: "Rosa" }).select("id").single()).data?.id;
const target = { url: server.url, publishableKey: server.keys.publishable, token: ada.token, memory };

/** The fields of an error body on each surface. */
const FORMAT: Record<Surface, string[]> = {
  rest: ["code", "details", "hint", "message"],
  auth: ["code", "error_code", "msg"],
  storage: ["error", "message", "statusCode"],
  functions: ["code", "message"],
  realtime: ["code", "message"],
};

/** Reads everything that one of the requests could have changed. */
async function content() {
  const tables = ["memories", "stories", "auth.users", "storage.buckets", "storage.objects", "storage.uploads"];
  const counts = tables.map((table) => `(select json_agg(t order by t::text) from ${table} t)`);
  const { rows } = await server.db.query<{ content: string }>(`select json_build_array(${counts})::text as content`);
  return rows[0]?.content;
}

function expectFormat({ status, headers, text }: HostileAnswer, surface: Surface) {
  expect(headers["content-type"]).toMatch(/^(application\/json|text\/plain)/);
  // An error of the tus protocol: a code for programs and a sentence.
  if (headers["tus-resumable"]) return expect(text).toMatch(/^\w+: .+/);
  // Node's parser refuses these before the surface is known.
  const names = status === 431 ? FORMAT.functions : FORMAT[surface];
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(names);
}

describe("a hostile request is refused in the format of its surface, readable for a browser, and changes nothing", () => {
  test.each(hostileRequests.map((one) => [one.name, one] as const))("%s", async (_name, hostile) => {
    const before = await content();
    const answer = await hostile.send(target);
    expect(answer.status, answer.text.slice(0, 300)).toBe(hostile.status);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.text.length).toBeLessThan(3000);
    expectFormat(answer, hostile.surface);
    expect(await content()).toBe(before);
  });
});
