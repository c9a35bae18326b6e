import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { atEnd } from "./at-end.ts";
import { startCollector } from "./collector.ts";
import { builtServer, clientsOf, endProcess } from "./server-process.ts";

/** Starts a primary process and its workers, over a separate data folder. */
export async function withWorkers(count: number) {
  const main = await builtServer();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-workers-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const collector = await startCollector();
  const primary: ChildProcess = spawn(process.execPath, [main, "--workers", `${count}`], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      LOG_LEVEL: "error",
      PORT: `${port}`,
      DATA_DIR: dataDir,
      METRICS_PORT: `${metricsPort}`,
      REQUEST_BUDGET: "1000000",
      PASSWORD_HASH_MIB: "8",
      SIGN_IN_LIMIT: "10000",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  atEnd(() => endProcess(primary, "SIGTERM"));
  /** The ids of the processes that have reported that they serve, in order. */
  const workers: number[] = [];
  createInterface({ input: primary.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const pid = line.match(/^Worker \d+ serves, process (\d+)$/)?.[1];
    if (pid) workers.push(Number(pid));
  });
  await serving(url, primary);
  await expect.poll(() => workers.length, { timeout: 180_000 }).toBe(count);
  const { client, publishableKey } = await clientsOf(dataDir);
  return {
    url,
    dataDir,
    primary,
    workers,
    publishableKey,
    metricsPort,
    spans: collector.spans,
    client: (bearer?: string) => client(url, bearer),
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
  };
}
