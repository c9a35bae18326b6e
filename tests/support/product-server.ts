import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import type { Database } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { openSecrets } from "../../server/settings/secrets.ts";
import { createDatabase } from "./postgres.ts";

const root = new URL("../..", import.meta.url).pathname;

/** The built product in a separate process over its own data folder. */
export interface ProductServer {
  /** http://localhost:…, the same across restarts. */
  url: string;
  keys: { publishable: string; secret: string };
  /** The id of the current process. */
  pid(): number;
  /** The official client, like in a browser; optionally with a bearer token. */
  client(bearer?: string): SupabaseClient;
  /** The official client with the service's key. */
  service(): SupabaseClient;
  /**
   * Ends the process, by SIGTERM by default, and starts it again with changed settings. `meanwhile` runs in between.
   */
  restart(how?: {
    signal?: NodeJS.Signals;
    settings?: Record<string, string>;
    meanwhile?: (db: Database, dataDir: string) => Promise<unknown>;
  }): Promise<void>;
  /** Changes rows and files directly. */
  change(work: (db: Database, dataDir: string) => Promise<unknown>): Promise<void>;
  /** Ends the process and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts the built product and waits until it answers; `npm test` has built it. `restore` runs before, with an empty
 * database and data folder.
 */
export async function startProduct(
  environment: Record<string, string> = {},
  restore?: (installation: { DATABASE_URL: string; DATA_DIR: string }) => Promise<unknown>,
): Promise<ProductServer> {
  const main = join(root, "dist/server/main.js");
  if (!existsSync(main)) throw new Error("There is no build to test. Run `npm test -- --only=e2e`.");
  const dataDir = await mkdtemp(join(tmpdir(), "skies-e2e-"));
  const database = await createDatabase(process.env.SKIES_TEST_POSTGRES ?? "", restore && "template1");
  await restore?.({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const fixed = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    PORT: `${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    // All people of a test have one address.
    SIGN_IN_LIMIT: "100000",
    // A cheap hash, because thousands of accounts are created.
    PASSWORD_HASH_MIB: "8",
    AUTH_MAIL_INTERVAL: "0",
    REQUEST_BUDGET: "1000000",
    ...environment,
  };

  const run = async (settings: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, HOME: dataDir, TZ: "UTC", ...fixed, ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await serving(url, child);
    return child;
  };
  let child = await run();
  const { publishableKey, secretKey } = await openSecrets({ dataDir, secretKey: environment.SECRET_KEY });
  const connectAs = (key: string, bearer?: string) =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      ...(bearer ? { accessToken: async () => bearer } : {}),
    });
  const change = async (work: (db: Database, dataDir: string) => Promise<unknown>) => {
    const db = await openPostgres(database.url);
    await work(db, dataDir).finally(() => db.close());
  };
  return {
    url,
    keys: { publishable: publishableKey, secret: secretKey },
    pid: () => child.pid ?? 0,
    client: (bearer) => connectAs(publishableKey, bearer),
    service: () => connectAs(secretKey),
    async restart({ signal, settings, meanwhile } = {}) {
      await end(child, signal);
      if (meanwhile) await change(meanwhile);
      child = await run(settings);
    },
    change,
    async close() {
      await end(child);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
