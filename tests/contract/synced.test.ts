import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { killableServer } from "../support/killable-server.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { endProcess } from "../support/server-process.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** Lists the system calls of a process and its descendants. */
const STRACE = "/usr/bin/strace";

/** Starts a server with its database; `syncs` counts how often they made the disk confirm written data. */
async function tracedServer() {
  const server = await killableServer();
  atEnd(() => server.close());
  const log = join(server.dataDir, "calls");
  const postgres = Number(
    (await readFile(join(server.dataDir, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0],
  );
  const traced = [server.pid(), postgres, ...(await childrenOf(postgres))].flatMap((pid) => ["-p", `${pid}`]);
  const strace = spawn(STRACE, ["-f", "-e", "trace=fsync,fdatasync", "-o", log, ...traced], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  atEnd(() => endProcess(strace, "SIGTERM"));
  // strace names each process to which it has attached.
  await once(strace.stderr, "data");
  const syncs = async () => (await readFile(log, "utf8")).match(/\b(fsync|fdatasync)\(/g)?.length ?? 0;
  return { client: server.client, syncs };
}

/** Resolves to the ids of a process's children. */
async function childrenOf(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", `${pid}`]);
  return stdout.split("\n").filter(Boolean);
}

if (existsSync(STRACE)) {
  describe("before it is acknowledged", () => {
    test.runIf(LONG)("a row is synced to the disk, and so are a photo and its row", async () => {
      const server = await tracedServer();
      const ada = await signUp(server, "Ada");
      const memoryId = randomUUID();
      await ada.client.from("memories").insert({ id: memoryId, person_name: "Rosa" }).throwOnError();

      const beforeRow = await server.syncs();
      await ada.client.from("albums").insert({ name: "Sunday" }).throwOnError();
      expect(await server.syncs()).toBeGreaterThan(beforeRow);

      const beforePhoto = await server.syncs();
      const { error } = await ada.client.storage
        .from("media")
        .upload(freshName(memoryId), await jpeg(), { contentType: "image/jpeg" });
      expect(error).toBeNull();
      // One sync each for the bytes, for the folder that contains them, and for the row.
      expect(await server.syncs()).toBeGreaterThanOrEqual(beforePhoto + 3);
    });
  });
}
