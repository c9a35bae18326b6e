import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { buildServer } from "../../scripts/setup/build.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { openSecrets } from "../../server/settings/secrets.ts";

const root = new URL("../..", import.meta.url).pathname;

// In the repository, so that packages are found.
const folder = join(root, `.cache/server-${process.pid}`);
let building: Promise<unknown> | undefined;

/** Builds the server once for all files of a worker; resolves to its script, which starts faster than the sources. */
export async function builtServer(): Promise<string> {
  if (!building) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  building ??= buildServer(folder);
  await building;
  return join(folder, "main.js");
}

/** Starts a built server in a separate process, and waits until it answers. */
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

/** Returns a function that creates official clients for the servers over a data folder. */
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
