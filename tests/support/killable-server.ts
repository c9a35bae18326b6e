import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { buildServer } from "../../scripts/setup/build.mjs";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { openSecrets } from "../../server/secrets.ts";

const root = new URL("../..", import.meta.url).pathname;

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

/** Builds the server as it is now, starts it and waits until it answers. */
export async function killableServer(): Promise<KillableServer> {
  // Built, it starts sooner than from source. Inside the repository, where its packages are found.
  const built = join(root, `.cache/killable-${process.pid}`);
  await buildServer(built);
  const dataDir = await mkdtemp(join(tmpdir(), "skies-kill-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { publishableKey } = await openSecrets({ dataDir });

  const start = async () => {
    const child = spawn(process.execPath, [join(built, "main.js")], {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: "test", LOG_LEVEL: "error", PORT: `${port}`, DATA_DIR: dataDir },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await serving(url, child);
    return child;
  };
  let child = await start();
  return {
    url,
    dataDir,
    client: (bearer) =>
      createClient(url, publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { transport: WebSocket as never },
        ...(bearer ? { accessToken: async () => bearer } : {}),
      }),
    async killAndRestart() {
      await end(child, "SIGKILL");
      child = await start();
    },
    stop: () => end(child, "SIGTERM"),
    async close() {
      await end(child, "SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
      await rm(built, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
