import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { inject } from "vitest";
import WebSocket from "ws";
import type { Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import type { Files } from "../../server/files/files.ts";
import type { LogStream } from "../../server/http/request-log.ts";
import type { Ffmpeg } from "../../server/jobs/video/ffmpeg.ts";
import { createServer } from "../../server/server.ts";
import { readSettings } from "../../server/settings/settings.ts";
import { openTokens } from "../../server/supabase/tokens.ts";
import { atEnd } from "./at-end.ts";
import { testDatabase } from "./database.ts";

export interface TestServer {
  url: string;
  db: Database;
  keys: { publishable: string; secret: string };
  /** The official client, like in a browser; optionally with a bearer token. */
  client(bearer?: string | (() => string)): SupabaseClient;
  /** The official client with the service's key. */
  service(): SupabaseClient;
  /** A valid bearer token with these claims, for `seconds` (3600). */
  sign(claims: Caller, seconds?: number): Promise<string>;
  /** The folder of its secrets and files. */
  dataDir: string;
  files: Files;
  /** Every route, e.g. `GET /storage/v1/object/:bucket/*`. */
  routes: string[];
  /** Stops it before the end of the file. */
  close(): Promise<void>;
}

/**
 * Starts the whole server on a free loopback port, with its own database and folder or those of another server, like a
 * second process; stopped after the file.
 */
export async function testServer(
  environment: Record<string, string> = {},
  beside?: Pick<TestServer, "db" | "dataDir">,
  options: {
    /** A database of the test file, instead of a new one. */
    db?: Database;
    /** Whether jobs run: photos are prepared and emails are sent. */
    jobs?: boolean;
    /** Makes playback copies of videos. */
    ffmpeg?: Ffmpeg;
    /** The web app's folder, e.g. `dist/web`; without it no path responds with a page. */
    webFolder?: string;
    logStream?: LogStream;
    /** Whether the sandboxes open their ports. */
    sandboxes?: boolean;
  } = {},
): Promise<TestServer> {
  const db = options.db ?? beside?.db ?? (await testDatabase());
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), "skies-test-")));
  const serverSettings = readSettings({
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    PORT: "0",
    DATA_DIR: dataDir,
    // All people of a test file have the loopback address.
    SIGN_IN_LIMIT: "10000",
    // A cheap hash, because thousands of accounts are created.
    PASSWORD_HASH_MIB: "8",
    AUTH_MAIL_INTERVAL: "0",
    REQUEST_BUDGET: "1000000",
    STOP_SECONDS: "0",
    ...inject("s3"),
    ...environment,
  });
  const routes: string[] = [];
  const services = await createServer(serverSettings, {
    db,
    ffmpeg: options.ffmpeg,
    sandboxes: options.sandboxes ?? false,
    webFolder: options.webFolder,
    logStream: options.logStream,
    onRoute: ({ method, url }) => routes.push(...[method].flat().map((one) => `${one} ${url}`)),
  });
  const { app, secrets, files, settings } = services;
  const url = await app.listen({ port: settings.PORT, host: "127.0.0.1" });
  if (options.jobs) services.startJobs();
  const tokens = await openTokens(db, { secret: secrets.sealing, issuer: `${settings.publicUrl}/auth/v1` });
  atEnd(async () => {
    await services.close();
    if (!beside) await rm(dataDir, { recursive: true, force: true });
  });
  const connectAs = (key: string, bearer?: string | (() => string)) =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      ...(bearer ? { accessToken: async () => (typeof bearer === "string" ? bearer : bearer()) } : {}),
    });
  return {
    url,
    db,
    keys: { publishable: secrets.publishableKey, secret: secrets.secretKey },
    client: (bearer) => connectAs(secrets.publishableKey, bearer),
    service: () => connectAs(secrets.secretKey),
    sign: (claims, seconds = 3600) => tokens.sign(claims, seconds),
    dataDir,
    files,
    routes,
    close: () => app.close(),
  };
}
