import { expect, test } from "vitest";
import { registerVisitor, withAccountIds } from "./account-ids.ts";
import type { SupabaseClient } from "./database-client.ts";

const clientOf = (hasAccount?: boolean) => {
  const client = {} as SupabaseClient;
  if (hasAccount !== undefined) registerVisitor(client, () => hasAccount);
  return client;
};

test.each([
  ["a signed-in person's own client, all ids", clientOf(), "id,user_id,mentions", "id,mentions"],
  ["a signed-in visitor of a link, the ids of their own rows", clientOf(true), "id,user_id:own_id", "id"],
  ["a visitor without an account, none", clientOf(false), "id", "id"],
])("a request gets, for %s", (_who, client, both, mentions) => {
  expect(withAccountIds(client, "id", "user_id", "mentions")).toBe(both);
  expect(withAccountIds(client, "id", "mentions")).toBe(mentions);
});
