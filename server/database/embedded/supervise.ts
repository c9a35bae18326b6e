import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StartError } from "./start-error.ts";

interface Supervised {
  /** Starts PostgreSQL with its output on pipes. */
  start(): ChildProcess;
  url: string;
  /** The folder's name in messages. */
  folder: string;
  /** The data folder. */
  data: string;
}

/** Pauses before PostgreSQL is restarted after a crash, in milliseconds; the last one repeats. */
const PAUSES_MS = [0, 100, 500, 2000, 10_000];
/** After this uptime a crash counts as the first one again. */
const STEADY_MS = 60_000;
/** How long a stop waits before it closes the connections of clients, in milliseconds. */
const STOP_MS = 20_000;

/**
 * Starts PostgreSQL, and restarts it whenever it ends by itself after its first start. `serving` resolves when it is
 * ready, and rejects with a {@link StartError} if the first start fails. Without its data folder it is not restarted,
 * and all requests get a 503.
 */
export function supervise({ start, url, folder, data }: Supervised) {
  let current = open(start);
  let stopping = false;
  const served = serving(current, url, folder);

  const again = async () => {
    for (let crashes = 0; !stopping; crashes += 1) {
      const began = Date.now();
      await current.ended;
      if (stopping) return;
      if (!existsSync(data)) {
        console.error(`${folder} has gone. PostgreSQL is not started again: put the folder back and start Skies anew.`);
        return;
      }
      if (Date.now() - began > STEADY_MS) crashes = 0;
      console.error(
        `PostgreSQL ended (${current.output().split("\n").at(-1) || "without a word"}) and is started again.`,
      );
      await delay(PAUSES_MS[Math.min(crashes, PAUSES_MS.length - 1)], undefined, { ref: false });
      if (!stopping) current = open(start);
    }
  };
  const watching = served.then(again, () => {});
  return {
    serving: served,
    pid: () => current.child.pid,
    async stop() {
      stopping = true;
      const { child, ended } = current;
      // Fast shutdown: no new clients, open transactions are rolled back, data is written.
      child.kill("SIGINT");
      const hurry = setTimeout(() => child.kill("SIGQUIT"), STOP_MS);
      await ended;
      clearTimeout(hurry);
      await watching;
    },
  };
}

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
  /** The end of its output. */
  output(): string;
}

function open(start: () => ChildProcess): Running {
  const child = start();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      // PostgreSQL logs this for early clients. It does not explain why PostgreSQL ended.
      const lines = text.split("\n").filter((line) => !line.endsWith("the database system is starting up"));
      output = (output + lines.join("\n")).slice(-4000);
    });
  }
  child.on("error", (error) => {
    output += error.message;
  });
  const guard = child.pid === undefined ? undefined : endWithThisProcess(child.pid);
  const dismiss = () => {
    guard?.dismiss();
  };
  const ended = once(child, "exit").then(dismiss, dismiss);
  return { child, ended, output: () => output.trim() };
}

/**
 * Stops PostgreSQL when this process ends, also by `kill -9`. A shell waits for the end of its input, which the kernel
 * closes with this process. PostgreSQL does not check whether its parent lives.
 */
function endWithThisProcess(pid: number) {
  const [command, ...args] =
    process.platform === "win32"
      ? [process.execPath, "-e", `process.stdin.on("data",()=>process.exit()).on("end",()=>process.kill(${pid}))`]
      : ["/bin/sh", "-c", 'read -r line || kill -QUIT "$1"', "sh", `${pid}`];
  const watcher = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  watcher.on("error", () => {});
  watcher.stdin.on("error", () => {});
  watcher.unref();
  // Sends a line instead of ending the input: the shell must not kill a process that gets the same id later.
  return { dismiss: () => watcher.stdin.end("\n") };
}

/** Resolves when the first start answers, however long its crash recovery takes. */
async function serving({ child, ended, output }: Running, url: string, folder: string) {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (answered) return;
    await delay(10);
  }
  throw new StartError(folder, output() || `It ended with ${child.exitCode ?? child.signalCode}.`);
}
