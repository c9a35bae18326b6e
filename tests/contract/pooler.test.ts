import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { migrate, migrationSets } from "../../server/database/migrate.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { atEnd } from "../support/at-end.ts";
import { follow } from "../support/changes.ts";
import { databaseUrlWithoutSchema } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { poolerBefore } from "../support/pgbouncer.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { freshName, jpeg, uploadResumably } from "../support/uploads.ts";

const root = new URL("../..", import.meta.url).pathname;

test.runIf(LONG)(
  "everything works through a transaction pooler, and nobody gets another's role, claims or time limit",
  async () => {
    const main = await builtServer();
    const directUrl = await databaseUrlWithoutSchema();
    const pooledUrl = await poolerBefore(directUrl, 3);
    const dataDir = await mkdtemp(join(tmpdir(), "skies-pooled-"));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    // The server also applies every migration to an empty database.
    const child = await startServer(main, {
      port,
      DATA_DIR: dataDir,
      DATABASE_URL: pooledUrl,
      DATABASE_DIRECT_URL: directUrl,
      PASSWORD_HASH_MIB: "8",
      REQUEST_BUDGET: "1000000",
    });
    atEnd(() => endProcess(child, "SIGTERM"));
    const make = (await clientsOf(dataDir)).client;
    const server = { client: (bearer?: string) => make(url, bearer) };
    const db = await openPostgres(directUrl);
    atEnd(() => db.close());
    expect(await migrate(db, migrationSets(root))).toEqual([]);

    const people = await Promise.all(["Ada", "Bob", "Cleo"].map((name) => signUp(server, name)));
    const [ada] = people;
    if (!ada) throw new Error("Nobody signed up");
    const { error: notIn } = await ada.client.auth.signInWithPassword({ email: ada.email, password: ada.password });
    expect(notIn).toBeNull();
    const owners = await Promise.all(
      people.map(async (person) => ({ person, memory: await newMemory(person.client, { person_name: person.email }) })),
    );

    // All reads share three connections, so each has to set its own role and claims.
    const reads = Array.from({ length: 60 }, async (_, index) => {
      const one = owners[index % owners.length];
      const seen = await one?.person.client.from("memories").select("id").throwOnError();
      expect(seen?.data).toEqual([{ id: one?.memory.id }]);
      expect((await server.client().from("memories").select("id")).data ?? []).toEqual([]);
    });
    await Promise.all(reads);

    const memoryId = owners[0]?.memory.id ?? "";
    const { events } = await follow(server.client(ada.token), {
      table: "comments",
      filter: `memory_id=eq.${memoryId}`,
    });
    await ada.client.from("comments").insert({ memory_id: memoryId, body: "She sang." }).throwOnError();
    await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ body: "She sang." }]);

    const [bytes, name] = [await jpeg(), freshName(memoryId)];
    await uploadResumably({ url, token: ada.token, name, bytes });
    const { data: stored } = await ada.client.storage.from("media").download(name);
    expect(stored?.size).toBe(bytes.length);

    // A job was notified of the account, and sent its email.
    const greeted = async () => {
      const reply = await fetch(`${url}/sandbox/inbox/messages?to=${encodeURIComponent(ada.email)}`);
      return ((await reply.json()) as { messages: unknown[] }).messages.length;
    };
    await expect.poll(greeted).toBe(1);

    // A caller's statement limit does not apply to the next caller on the same connection.
    const pooled = await openPostgres(pooledUrl, directUrl);
    atEnd(() => pooled.close());
    const limitOf = async (role?: string) => {
      const read = "select current_setting('statement_timeout') as limit from pg_sleep(0.05)";
      return (await pooled.query<{ limit: string }>(read, [], role === undefined ? {} : { role })).rows[0]?.limit;
    };
    const roles = Array.from({ length: 30 }, (_, index) => ["anon", "authenticated", undefined][index % 3]);
    const limits: Record<string, string> = { anon: "3s", authenticated: "8s" };
    expect(await Promise.all(roles.map(limitOf))).toEqual(roles.map((role) => limits[role ?? ""] ?? "0"));
  },
  300_000,
);
