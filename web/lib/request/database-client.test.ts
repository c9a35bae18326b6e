import { expect, test } from "vitest";
import type { SupabaseClient } from "./database-client.ts";

/**
 * The compiler refuses each line; otherwise its `@ts-expect-error` would be an error itself. The compiler does not
 * check columns in filters and orders: `tests/policies/statements-of-code.test.ts` does.
 */
async function misspelt(client: SupabaseClient) {
  // @ts-expect-error: a table
  client.from("memoriez");
  const column = await client.from("memories").select("id,person_nam");
  // @ts-expect-error: a column that is read
  column.data?.at(0)?.person_nam;
  const joined = await client.from("memories").select("id,albumz(name)");
  // @ts-expect-error: a table that is read along
  joined.data?.at(0)?.albumz.name;
  // @ts-expect-error: a column that is added
  client.from("memories").insert({ person_nam: "Ada" });
  // @ts-expect-error: a column that is changed
  client.from("memories").update({ person_nam: "Ada" });
  // @ts-expect-error: a value that a check refuses
  client.from("memories").update({ kind: "birthday" });
  // @ts-expect-error: a column that the database computes
  client.from("share_links").update({ has_pin: true });
  // @ts-expect-error: a function
  client.rpc("memory_rightz", { memory_id: "" });
  // @ts-expect-error: an argument
  client.rpc("memory_rights", { memory: "" });
  const rights = await client.rpc("memory_rights", { memory_id: "" });
  // @ts-expect-error: what a function answers
  rights.data?.keeps;
}

test("a misspelt table, column, function or argument does not compile", () => {
  expect(misspelt).toBeTypeOf("function");
});
