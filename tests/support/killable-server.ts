import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { builtServer, clientsOf, endProcess, startServer } from "./server-process.ts";
import { unpackMigrated } from "./template.ts";

/** The server in a process of its own, over a data folder that outlives it. */
export interface KillableServer {
  url: string;
  dataDir: string;
  client(bearer?: string): SupabaseClient;
  /** Ends the process as a power cut would, and resolves when another one answers in its place. */
  killAndRestart(): Promise<void>;
  /** Ends the process as an operator would. */
  stop(): Promise<void>;
  /** Ends whatever runs and removes the data. */
  close(): Promise<void>;
}

/** Builds the server as it is now, starts it, with further settings where some are given, and waits until it answers. */
export async function killableServer(environment: Record<string, string> = {}): Promise<KillableServer> {
  const built = await builtServer();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-kill-"));
  await unpackMigrated(dataDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { client } = await clientsOf(dataDir);
  const start = () => startServer(built.main, { port, DATA_DIR: dataDir, ...environment });
  let child = await start();
  return {
    url,
    dataDir,
    client: (bearer) => client(url, bearer),
    async killAndRestart() {
      await endProcess(child, "SIGKILL");
      child = await start();
    },
    stop: () => endProcess(child, "SIGTERM"),
    async close() {
      await endProcess(child, "SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
      await built.remove();
    },
  };
}
