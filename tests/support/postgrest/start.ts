import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { atEnd } from "../at-end.ts";
import { environmentOf, PROGRAM, type Served } from "./program.ts";
import type { Host } from "./send.ts";

/**
 * Starts PostgREST on a socket of its own, for schema `public` of a database and for the tokens of a server, with the
 * settings of the hosted platform. Resolves once it has read the schema; stopped at the end.
 */
export async function startPostgrest(served: Served): Promise<Host> {
  const folder = await mkdtemp(join(tmpdir(), "skies-postgrest-"));
  const socketPath = join(folder, "rest");
  const child = spawn(PROGRAM, [], {
    env: { ...environmentOf(served), PGRST_SERVER_UNIX_SOCKET: socketPath },
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
