import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { retentionJob, strayBytesJob, sweepJob } from "../../server/jobs/housekeeping.ts";
import { pictureName } from "../../web/data/picture-name.ts";
import { atEnd } from "../support/at-end.ts";
import { fillEveryTable } from "../support/baseline.ts";
import { testDatabase } from "../support/database.ts";
import { DAY_MS, runOnce } from "../support/jobs.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { post } from "../support/sharing.ts";
import { freshName, jpeg, resumable } from "../support/uploads.ts";

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const lines: string[] = [];
const db = await testDatabase();
// Everything that a person can have, and that of others. The server creates its own signing key.
const world = await fillEveryTable(db);
await db.exec("delete from auth.signing_keys; delete from private.outbox");
const dataDir = await mkdtemp(join(tmpdir(), "skies-erasure-"));
atEnd(() => rm(dataDir, { recursive: true, force: true }));
const server = await testServer(
  { LOG_LEVEL: "debug" },
  { db, dataDir },
  { jobs: true, sandboxes: true, logStream: { write: (line) => lines.push(line) } },
);

/**
 * Tables that may still name a deleted account: orders and the acts of staff, as the law requires; and changes of the
 * last minutes, for open pages.
 */
const KEPT = ["public.orders", "public.audit_log", "realtime.changes"];

/** Returns every row that contains one of these texts, as `table: row`. */
async function rowsWith(texts: string[]): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  );
  const traces: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(
      `select t::text as row from ${name} t where exists (select from unnest($1::text[]) x where t::text ilike '%' || x || '%')`,
      [texts],
    );
    traces.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return traces;
}
const unexpected = async (texts: string[]) =>
  (await rowsWith(texts)).filter((row) => !KEPT.some((table) => row.startsWith(`${table}:`)));

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` });

/** Adds a photo of this person to a memory. Resolves to it with its bytes. */
async function addPhoto({ client }: Person, memoryId: string) {
  const bytes = Buffer.concat([await jpeg(), randomBytes(5000)]);
  const name = freshName(memoryId);
  const { error } = await client.storage.from("media").upload(name, bytes);
  if (error) throw error;
  return { name, bytes };
}

test("a deleted account leaves only its paid orders and, without its name, what it gave to others' memories", async () => {
  const [ada, bob] = [await signUp(server, "Adalgisa Quintrell"), await signUp(server, "Bob")];
  const [memoryId, bobsId] = [randomUUID(), randomUUID()];
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  await bob.client.from("memories").insert({ id: bobsId, person_name: "Nonno Piero" }).throwOnError();
  await bob.client
    .from("invitations")
    .insert({ memory_id: bobsId, email: ada.email, role: "contributor" })
    .throwOnError();
  const { data: invited } = await ada.client.rpc("my_invitations").throwOnError();
  await ada.client
    .rpc("answer_invitation", { invitation_id: (invited as { id: string }[])[0]?.id, accept: true })
    .throwOnError();
  const [own, givenAway] = [await addPhoto(ada, memoryId), await addPhoto(ada, bobsId)];
  await ada.client.from("comments").insert({ memory_id: bobsId, body: "I miss him" }).throwOnError();
  await ada.client.from("stories").insert({ memory_id: bobsId, body: "<p>The boat</p>" }).throwOnError();
  await ada.client.from("reactions").insert({ memory_id: bobsId, kind: "candle" }).throwOnError();
  await bob.client.from("reactions").insert({ memory_id: bobsId, kind: "candle" }).throwOnError();
  const face = await jpeg(64, 64, "rosybrown");
  expect((await ada.client.storage.from("avatars").upload(await pictureName(ada.id), face)).error).toBeNull();
  const reported = await post(
    server,
    "report",
    { kind: "memory", id: bobsId, reason: "other", words: "Look", email: ada.email },
    as(ada),
  );
  expect(reported.status).toBe(202);
  await db.query("insert into private.correspondents (user_id, email) values ($1, $2)", [bob.id, ada.email]);
  await db.query("insert into contact_messages (name, email, subject, message) values ('Q', $1, 'Hi', '<p>Hi</p>')", [
    ada.email,
  ]);
  await db.query(
    `insert into private.outbox (kind, template, language, recipient, next_attempt_at)
     values ('mail', 'welcome', 'en', $1, now() + interval '1 hour')`,
    [ada.email],
  );
  for (const [status, days] of [
    ["paid", -1],
    ["expired", -1],
    ["pending", 1],
  ] as const) {
    await db.query(
      `insert into orders (user_id, email, currency, subtotal, total, status, expires_at)
       values ($1, $2, 'GBP', 2500, 2500, $3, now() + make_interval(days => $4))`,
      [ada.id, ada.email, status, days],
    );
  }
  // An upload that she never finished.
  const begun = resumable(
    { url: server.url, token: ada.token, name: freshName(memoryId), bytes: randomBytes(200_000) },
    {
      chunkSize: 100_000,
      onChunkComplete: () => void begun.upload.abort(),
    },
  );
  begun.upload.start();
  await expect.poll(async () => (await readdir(server.files.parts)).length).toBeGreaterThan(0);
  // Her photos are ready, so copies of them exist.
  for (const { name } of [own, givenAway]) {
    await expect
      .poll(
        async () =>
          (await db.query("select from media where object_name = $1 and state = 'ready'", [name])).rows.length,
      )
      .toBe(1);
  }
  // She has a notice about her own photo, which is deleted with the photo.
  await db.query(
    `insert into notices (user_id, memory_id, kind, media_id, actor_name)
     select $1, memory_id, 'comment', id, 'Bob' from media where object_name = $2`,
    [ada.id, own.name],
  );
  await expect
    .poll(async () => (await post(server, "prepare-download", { memoryId }, as(ada))).status, { interval: 100 })
    .toBe(200);
  const traces = [ada.id, ada.email, "Adalgisa", "Quintrell"];
  const versionOf = async (name: string) =>
    (await db.query<{ version: string }>("select version from storage.objects where name = $1", [name])).rows[0]
      ?.version ?? "";
  const [ownVersion, givenVersion] = [await versionOf(own.name), await versionOf(givenAway.name)];
  expect((await rowsWith(traces)).length).toBeGreaterThan(15);

  const gone = await post(server, "delete-account", { password: ada.password }, as(ada));
  expect(gone.status).toBe(200);
  const adminsDeletion = await server.service().auth.admin.deleteUser(world.ada);
  expect(adminsDeletion.error).toBeNull();

  // A day later, by the clocks of the jobs.
  const deps = { db, files: server.files, log: { warn: () => {} } };
  await runOnce(retentionJob({ db }));
  await runOnce(strayBytesJob(deps));
  await runOnce(sweepJob(deps, () => Date.now() + DAY_MS));

  expect(await unexpected([...traces, memoryId, ownVersion])).toEqual([]);
  expect(await unexpected([world.ada, `${world.ada}@example.com`])).toEqual([]);
  const { rows: orders } = await db.query<{ status: string }>(
    "select status from orders where email = $1 order by status",
    [ada.email],
  );
  // One order can still be paid. It is deleted after it has expired.
  expect(orders.map(({ status }) => status)).toEqual(["paid", "pending"]);
  await db.query(
    "update orders set status = 'expired', expires_at = now() - interval '1 minute' where email = $1 and status = 'pending'",
    [ada.email],
  );
  await runOnce(retentionJob({ db }));
  expect((await db.query("select from orders where email = $1", [ada.email])).rows).toHaveLength(1);

  const files = await filesBelow(dataDir);
  expect(files.filter((path) => [...traces, memoryId, ownVersion].some((trace) => path.includes(trace)))).toEqual([]);
  const hashes = await Promise.all(files.map(async (path) => hashOf(await readFile(path))));
  expect(hashes).not.toContain(hashOf(face));
  expect(hashes).not.toContain(hashOf(own.bytes));
  expect(hashes).toContain(hashOf(givenAway.bytes));
  expect(files.some((path) => path.includes(givenVersion))).toBe(true);
  expect(lines.filter((line) => traces.some((trace) => line.includes(trace)))).toEqual([]);

  // Bob's memory has lost only a name.
  const { data: comments } = await bob.client
    .from("comments")
    .select("body, user_id")
    .eq("memory_id", bobsId)
    .throwOnError();
  expect(comments).toEqual([{ body: "I miss him", user_id: null }]);
  const { data: names } = await bob.client
    .from("comment_credits")
    .select("name")
    .eq("memory_id", bobsId)
    .throwOnError();
  expect(names).toEqual([{ name: "" }]);
  const { data: candles } = await bob.client
    .from("reactions")
    .select("kind, user_id, credit:reaction_credits(name)")
    .eq("memory_id", bobsId)
    .order("created_at")
    .throwOnError();
  expect(candles).toEqual([
    { kind: "candle", user_id: null, credit: { name: "" } },
    { kind: "candle", user_id: bob.id, credit: { name: "Bob" } },
  ]);
  expect((await bob.client.storage.from("media").download(givenAway.name)).error).toBeNull();
});
