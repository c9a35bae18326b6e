import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { atEnd } from "../support/at-end.ts";
import { follow } from "../support/changes.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { signUp } from "../support/people.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";

let main: string;
beforeAll(async () => {
  const built = await builtServer();
  main = built.main;
  atEnd(built.remove);
}, 120_000);

/** Two servers in processes of their own, over one database. */
async function twoServers() {
  const databaseUrl = await testDatabaseUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-two-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const { client } = await clientsOf(dataDir);
  // Anyone who spreads people over them gives them one address: it names who made a token.
  const PUBLIC_URL = "http://skies.example";
  const start = async () => {
    const port = await freePort();
    const child = await startServer(main, { port, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PUBLIC_URL });
    atEnd(() => endProcess(child, "SIGTERM"));
    return { client: (bearer?: string) => client(`http://127.0.0.1:${port}`, bearer) };
  };
  return [await start(), await start()] as const;
}

test("a comment made through one process appears at once to who is connected to another", async () => {
  const [one, other] = await twoServers();
  const ada = await signUp(one, "Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const reader = other.client(ada.token);
  const { events } = await follow(reader, { table: "comments", filter: `memory_id=eq.${memory.id}` });

  await ada.client.from("comments").insert({ memory_id: memory.id, body: "She sang." }).throwOnError();
  await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ body: "She sang." }]);

  await reader.from("comments").update({ body: "She always sang." }).eq("body", "She sang.").throwOnError();
  const { data: read } = await ada.client.from("comments").select("body").throwOnError();
  expect(read).toEqual([{ body: "She always sang." }]);
  await reader.removeAllChannels();
}, 120_000);
