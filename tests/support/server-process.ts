import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { buildServer } from "../../scripts/setup/build.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { openSecrets } from "../../server/settings/secrets.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Builds the server as it is now: built, it starts sooner than from source. */
export async function builtServer() {
  // Inside the repository, where its packages are found.
  const folder = join(root, `.cache/server-${process.pid}`);
  await buildServer(folder);
  return { main: join(folder, "main.js"), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a built server in a process of its own, and waits until it answers. */
export async function startServer(
  main: string,
  { port, ...environment }: { port: number; DATA_DIR: string; DATABASE_URL?: string } & Record<string, unknown>,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: "test", LOG_LEVEL: "error", PORT: `${port}`, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await serving(`http://127.0.0.1:${port}`, child);
  return child;
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** What makes real clients, as browsers would make them, of the servers over a data folder. */
export async function clientsOf(dataDir: string) {
  const { publishableKey } = await openSecrets({ dataDir });
  return {
    publishableKey,
    client: (url: string, bearer?: string): SupabaseClient =>
      createClient(url, publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { transport: WebSocket as never },
        ...(bearer ? { accessToken: async () => bearer } : {}),
      }),
  };
}
