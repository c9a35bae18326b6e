import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openWorkers, type Patience, type WorkerProcesses } from "./worker-processes.ts";

/** A worker that serves nothing but its metrics. It does not serve if its start is to hang. */
const WORKER = `
  process.on("message", (message) => {
    if (message === "measure") process.send({ samples: [{ name: "pid", values: [{ value: process.pid }] }] });
    if (message === "drain") process.disconnect();
  });
  process.on("SIGTERM", () => process.exit());
  if (!process.env.HANGS) process.send("serving");
`;
const LONG: Patience = { start: 120_000, answer: 120_000, drain: 120_000, stop: 120_000 };

let folder: string;
let workers: WorkerProcesses;
/** The processes that have served, in order. */
let pids: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-workers-"));
  await writeFile(join(folder, "worker.cjs"), WORKER);
  pids = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    const pid = line.match(/serves, process (\d+)$/)?.[1];
    if (pid) pids.push(Number(pid));
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  for (const pid of pids.filter(lives)) process.kill(pid, "SIGKILL");
  await workers.close();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function open(count: number, patience: Partial<Patience>, environment: Record<string, string> = {}) {
  workers = openWorkers(join(folder, "worker.cjs"), environment, { ...LONG, ...patience });
  await Promise.all(Array.from({ length: count }, workers.fork));
}

const lives = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const measured = async () => (await workers.measure()).map((samples) => samples[0]?.values[0]?.value);

test("metrics of the workers that answer are reported without the one that is stopped, until it goes on", async () => {
  await open(2, { answer: 1000 });
  const [stopped = 0, other] = pids;
  process.kill(stopped, "SIGSTOP");
  expect(await measured()).toEqual([other]);
  // It is not asked, and waited for, again.
  expect(await measured()).toEqual([other]);
  expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`process ${stopped}, does not answer`));

  process.kill(stopped, "SIGCONT");
  await expect.poll(measured).toHaveLength(2);
  expect(console.log).toHaveBeenLastCalledWith(expect.stringContaining(`process ${stopped}, answers again`));
});

test("a stop ends although a worker does not", async () => {
  await open(2, { stop: 500 });
  process.kill(pids[0] ?? 0, "SIGSTOP");
  await workers.close();
  expect(pids.filter(lives)).toEqual([]);
});

test("an old worker that never drains is killed, and its place was taken before", async () => {
  await open(1, { drain: 500 });
  process.kill(pids[0] ?? 0, "SIGSTOP");
  await workers.restart();
  await expect.poll(() => pids.map(lives)).toEqual([false, true]);
});

test("a worker whose start hangs is ended, with the reason", async () => {
  await expect(open(1, { start: 2000 }, { HANGS: "1" })).rejects.toThrow(
    "A worker did not serve within 2 seconds, and was ended.",
  );
});
