import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { guestOf } from "../support/guests.ts";
import { testServer } from "../support/server.ts";
import { newRow, ownerOf } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";

const server = await testServer();
const { db } = server;

test("two simultaneous uploads by one guest do not deadlock", async () => {
  const ada = await ownerOf(server, "Grandmother");
  const link = { memory_id: ada.memoryId, rights: "contribute" };
  const data = await newRow(server.client(ada.token), "share_links", link, "share_id");
  const gina = await guestOf(server, data.share_id);
  const caller = decodeJwt(gina.token) as unknown as Caller;
  const add = () =>
    asCaller(db, caller, (tx) =>
      tx.query("insert into storage.objects (bucket_id, name, version, metadata) values ('media', $1, $2, $3)", [
        freshName(ada.memoryId),
        randomUUID(),
        { mimetype: "image/jpeg", size: 1000 },
      ]),
    );
  const waiting = async () =>
    (
      await db.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows[0]?.n;
  // Both uploads hold all their other locks when the guest's row becomes free.
  const adding = await db.transaction(async (tx) => {
    await tx.query("select from guests where id = $1 for no key update", [gina.id]);
    const both = [add(), add()];
    for (const one of both) one.catch(() => {});
    await expect.poll(waiting).toBe(2);
    return both;
  });
  expect((await Promise.allSettled(adding)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});
