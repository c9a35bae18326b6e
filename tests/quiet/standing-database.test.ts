import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { type Person, signUp } from "../support/people.ts";
import { newRow } from "../support/sharing.ts";

let server: KillableServer;
let ada: Person;
beforeAll(async () => {
  // A credit of five seconds, less than four requests wait for the database together.
  server = await killableServer({ REQUEST_BUDGET: "250" });
  ada = await signUp(server, "Ada");
  await newRow(ada.client, "albums", { name: "Sunday" });
});
afterAll(() => server?.close());

/** How long the database stands still, in milliseconds. It is the condition of this test, not a wait for something. */
const STANDS_MS = 4000;

/** The process ids of the server's PostgreSQL. */
async function databaseProcesses(): Promise<number[]> {
  const file = await readFile(join(server.dataDir, "postgres/data/postmaster.pid"), "utf8");
  const [main = ""] = file.split("\n");
  const children = execFileSync("ps", ["--ppid", main, "-o", "pid="], { encoding: "utf8" });
  return [main, ...children.trim().split(/\s+/)].map(Number);
}
const signalAll = (processes: number[], signal: "SIGSTOP" | "SIGCONT") => {
  for (const id of processes) {
    try {
      process.kill(id, signal);
    } catch (error) {
      // A worker of PostgreSQL may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
};

test("after the database stood still, a person who waited for it is served at once", async () => {
  const read = async () => (await ada.client.from("albums").select("name")).status;
  const processes = await databaseProcesses();
  signalAll(processes, "SIGSTOP");
  const open = Array.from({ length: 4 }, read);
  await pause(STANDS_MS);
  signalAll(processes, "SIGCONT");
  expect(await Promise.all(open)).toEqual([200, 200, 200, 200]);
  expect(await read()).toBe(200);
});
