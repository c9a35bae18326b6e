import { expect, test } from "vitest";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { audienceOf } from "./audience.ts";
import type { Catalogue } from "./catalogue.ts";
import { deliver, type Listener } from "./delivery.ts";

test("listeners whose changes could not be read are told, so that their clients join again", async () => {
  const id = { name: "id", type: "int8", sqlType: "bigint", readers: ["anon" as const] };
  const table = {
    schema: "public",
    name: "notes",
    sql: "notes",
    key: [id],
    columns: [id],
    conditions: { anon: "true" },
  };
  const timeout = new Error("canceling statement due to statement timeout");
  const refuse = async () => {
    throw timeout;
  };
  const db = { read: refuse, query: refuse, transaction: refuse, answer: refuse } as unknown as Database;
  const catalogue = { tables: async () => [table], invalidate: () => {} } as unknown as Catalogue;
  const [heard, lost, failures]: unknown[][] = [[], [], []];
  const caller: Caller = { role: "anon" };
  const binding = { id: 1, event: "*" as const, schema: "public", table: "notes", filter: { key: "", conditions: [] } };
  const listener: Listener = {
    audience: audienceOf(caller),
    bindings: [binding],
    hear: (payloads) => heard?.push(...payloads),
    lose: () => lost?.push("changes"),
  };
  const change = {
    id: 1,
    schema: "public",
    table: "notes",
    type: "INSERT" as const,
    key: { id: 1 },
    old: null,
    at: new Date(),
  };
  await deliver({ db, catalogue, listeners: [listener], failed: (error) => failures?.push(error) }, [change]);
  expect(failures).toEqual([timeout]);
  expect(heard).toEqual([]);
  expect(lost).toEqual(["changes"]);
});
