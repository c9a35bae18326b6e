import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { audienceOf } from "../../server/supabase/realtime/audience.ts";
import { openCatalogue } from "../../server/supabase/realtime/catalogue.ts";
import { deliver, type Listener } from "../../server/supabase/realtime/delivery.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";

const server = await testServer();

let ada: Owner;
let comment: string;
beforeAll(async () => {
  await emptyDatabase(server.db);
  ada = await ownerOf(server, "Rosa");
  const { rows } = await server.db.query<{ id: string }>(
    "insert into comments (memory_id, user_id, body) values ($1, $2, 'She sang.') returning id",
    [ada.memoryId, ada.userId],
  );
  comment = rows[0]?.id ?? "";
});

/** A database that records the claims of each query that runs as a caller. */
function counting() {
  const statements: string[] = [];
  const answer: Database["answer"] = (statement) => {
    statements.push(statement.claims);
    return server.db.answer(statement);
  };
  return { db: { ...server.db, answer }, asked: statements };
}

/** This many callers with an open page, who opened the same link at different times. */
const visitors = (count: number): Caller[] =>
  Array.from({ length: count }, (_, n) => ({
    role: "anon",
    aud: "anon",
    iat: n,
    exp: 4_000_000_000 + n,
    share: { link: ada.linkId, version: 1 },
  }));

test("row policies are checked once for all visitors of one link, and once for each other caller", async () => {
  const { db, asked: statements } = counting();
  const heard: string[] = [];
  const callers = [...visitors(100), ada.caller, { role: "anon" } satisfies Caller];
  const listeners = callers.map(
    (caller, n): Listener => ({
      audience: audienceOf(caller),
      bindings: [
        {
          id: n,
          event: "INSERT",
          schema: "public",
          table: "comments",
          filter: {
            key: `memory_id=eq.${ada.memoryId}`,
            conditions: [{ column: "memory_id", operator: "eq", values: [ada.memoryId] }],
          },
        },
      ],
      hear: (payloads) => heard.push(...payloads.map(({ text }) => text)),
      lose: () => {},
    }),
  );
  const change = {
    id: 1,
    schema: "public",
    table: "comments",
    type: "INSERT" as const,
    key: { id: comment },
    old: null,
    at: new Date(),
  };
  await deliver(
    {
      db,
      catalogue: openCatalogue(server.db),
      listeners,
      failed: (error) => {
        throw error;
      },
    },
    [change],
  );

  // For the link's visitors, for its owner, and for a visitor without a link.
  expect(statements).toHaveLength(3);
  expect(new Set(statements).size).toBe(3);
  // The visitor without a link may not see it.
  expect(heard).toHaveLength(101);
  expect(heard.map((text) => JSON.parse(text).ids[0])).toEqual(Array.from({ length: 101 }, (_, n) => n));
  expect(new Set(heard.map((text) => JSON.parse(text).data.record.body))).toEqual(new Set(["She sang."]));
});
