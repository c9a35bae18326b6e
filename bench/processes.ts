import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildServer } from "../scripts/setup/build.mjs";
import { freePort } from "../scripts/setup/free-port.mjs";
import { serving } from "../scripts/setup/serving.mjs";
import type { Outcome, Run } from "./media/client-process.ts";

export const root = new URL("..", import.meta.url).pathname;
export const TSX = ["--import", "tsx"];

/** A process that ends with `end`. */
export interface Child {
  pid: number;
  end(): Promise<void>;
}

export const asChild = (child: ChildProcess): Child => ({
  pid: child.pid ?? 0,
  async end() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  },
});

/** Starts `client-process.ts`. A run resolves to its duration in milliseconds, and rejects if any request failed. */
export function startClient() {
  const child = fork(join(root, "bench/media/client-process.ts"), { execArgv: TSX });
  const measure = async (run: Run): Promise<Outcome> => {
    const answered = once(child, "message");
    child.send(run);
    const [outcome] = (await answered) as [Outcome];
    if (outcome.wrong) throw new Error(outcome.wrong);
    return outcome;
  };
  return { ...asChild(child), measure, run: async (run: Run) => (await measure(run)).ms };
}

/** Starts the bare servers of `floor-process.ts`, which write into `folder`. */
export async function startFloor(folder: string): Promise<Child & { url: string }> {
  const child = fork(join(root, "bench/media/floor-process.ts"), [folder], { execArgv: TSX });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { ...asChild(child), url: `http://127.0.0.1:${port}` };
}

/** Builds and starts the product over `dataDir`, like `npm start`. */
export async function startProduct(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Child & { url: string }> {
  // In the repository, so that packages are found.
  const built = join(root, ".cache/bench-server");
  await buildServer(built);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ["--enable-source-maps", join(built, "main.js")], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: "error",
      NODE_NO_WARNINGS: "1",
      PORT: `${port}`,
      DATA_DIR: dataDir,
      REQUEST_BUDGET: "1000000",
      ...settings,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await serving(url, child);
  return { ...asChild(child), url };
}

/** The current and peak memory of a process in MB; undefined outside of Linux. */
export async function memoryOf({ pid }: Child): Promise<{ now: number; most: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  const read = (name: string) => Number(status?.match(new RegExp(`${name}:\\s+(\\d+) kB`))?.[1] ?? 0) / 1024;
  return status ? { now: read("VmRSS"), most: read("VmHWM") } : undefined;
}

/** The CPU time of a process in milliseconds; undefined outside of Linux. */
export async function cpuOf({ pid }: Child): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  // utime and stime, in hundredths of a second.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}
