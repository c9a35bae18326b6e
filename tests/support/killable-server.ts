import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { builtServer, clientsOf, endProcess, startServer } from "./server-process.ts";

/** The server in a process of its own, over a data folder that outlives it. */
export interface KillableServer {
  url: string;
  dataDir: string;
  /** Of the process that answers now. */
  pid(): number;
  client(bearer?: string): SupabaseClient;
  /**
   * Ends processes as a power cut would, and resolves when the product answers again: Skies itself, which is then started
   * anew; its database, which Skies starts anew; or both.
   */
  kill(what: "server" | "database" | "both"): Promise<void>;
  /** Ends the process as an operator would. */
  stop(): Promise<void>;
  /** Starts it again after that, with other settings. */
  restart(environment: Record<string, string>): Promise<void>;
  /** The key of clients. */
  publishableKey: string;
  /** Ends whatever runs and removes the data. */
  close(): Promise<void>;
}

/**
 * Kills the PostgreSQL over a data folder, which its lock file names. Until one that crashed has begun anew the file names the
 * one before, nobody, or is not there.
 */
async function killDatabase(dataDir: string): Promise<void> {
  for (;;) {
    const file = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8").catch(() => "");
    const pid = Number(file.split("\n")[0]);
    // To this process, 0 names its own group.
    if (pid > 1 && signal(pid)) return;
    await nextTurn();
  }
}

/** Ends a process as a power cut would; false where there is none. */
function signal(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** Resolves when the server says that it and its database serve. */
async function ready(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await nextTurn();
}

/** Builds the server as it is now, starts it, with further settings where some are given, and waits until it answers. */
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
