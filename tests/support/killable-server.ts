import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { builtServer, clientsOf, endProcess, startServer } from "./server-process.ts";

/** A server in a separate process, over a data folder that outlives it. */
export interface KillableServer {
  url: string;
  dataDir: string;
  /** The id of the current process. */
  pid(): number;
  client(bearer?: string): SupabaseClient;
  /**
   * Kills the server, its database or both like a power failure, and resolves when the product answers again. The
   * server is restarted here; Skies restarts its database.
   */
  kill(what: "server" | "database" | "both"): Promise<void>;
  /** Stops the process like an operator. */
  stop(): Promise<void>;
  /** Restarts it with other settings. */
  restart(environment: Record<string, string>): Promise<void>;
  publishableKey: string;
  /** Ends all processes and removes the data. */
  close(): Promise<void>;
}

/**
 * Kills the PostgreSQL of a data folder, whose lock file has its process id. Until a crashed PostgreSQL has restarted,
 * the file has the previous id or 0, or does not exist.
 */
async function killDatabase(dataDir: string): Promise<void> {
  for (;;) {
    const file = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8").catch(() => "");
    const pid = Number(file.split("\n")[0]);
    // For this process, the id 0 means its own process group.
    if (pid > 1 && signal(pid)) return;
    await nextTurn();
  }
}

/** Kills a process, like a power cut. Returns false if it does not exist. */
function signal(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** Resolves when the server and its database are ready. */
async function ready(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await nextTurn();
}

/** Builds and starts the server, optionally with further settings, and waits until it answers. */
export async function killableServer(environment: Record<string, string> = {}): Promise<KillableServer> {
  const main = await builtServer();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-kill-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { client, publishableKey } = await clientsOf(dataDir);
  const start = (changed = {}) => startServer(main, { port, DATA_DIR: dataDir, ...environment, ...changed });
  let child = await start();
  return {
    url,
    dataDir,
    pid: () => child.pid ?? 0,
    client: (bearer) => client(url, bearer),
    async kill(what) {
      if (what !== "server") await killDatabase(dataDir);
      if (what === "database") return ready(url);
      await endProcess(child, "SIGKILL");
      child = await start();
    },
    stop: () => endProcess(child, "SIGTERM"),
    async restart(changed) {
      child = await start(changed);
    },
    publishableKey,
    async close() {
      await endProcess(child, "SIGKILL");
      // Its database ends a moment later, and writes files until then.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 100 });
    },
  };
}
