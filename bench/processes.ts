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

/** The client of `client-process.ts`; resolves a run to the milliseconds it took, and rejects where any request failed. */
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

/** The bare servers of `floor-process.ts`, writing into `folder`. */
export async function startFloor(folder: string): Promise<Child & { url: string }> {
  const child = fork(join(root, "bench/media/floor-process.ts"), [folder], { execArgv: TSX });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { ...asChild(child), url: `http://127.0.0.1:${port}` };
}

/** The product as `npm start` runs it, built from what is there now, over `dataDir`. */
export async function startProduct(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Child & { url: string }> {
  // Inside the repository, where its packages are found.
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

/** Megabytes of memory that a process holds now, and that it held at the most; Linux only, else undefined. */
export async function memoryOf({ pid }: Child): Promise<{ now: number; most: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  const read = (name: string) => Number(status?.match(new RegExp(`${name}:\\s+(\\d+) kB`))?.[1] ?? 0) / 1024;
  return status ? { now: read("VmRSS"), most: read("VmHWM") } : undefined;
}

/** Milliseconds of CPU that a process has used; Linux only, else undefined. */
export async function cpuOf({ pid }: Child): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  // utime and stime, in hundredths of a second.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}
