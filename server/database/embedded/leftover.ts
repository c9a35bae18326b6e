import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** How long a PostgreSQL that is told to stop may take before it is killed, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Stops the PostgreSQL that an earlier process left running over `data`, if there is one. The caller holds the lock of
 * the folder, so no living Skies needs it.
 */
export async function stopLeftover(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0]);
  if (!(pid > 1)) return;
  const end = Date.now() + PATIENCE_MS;
  for (let state = await stateOf(pid, data); state !== "gone"; state = await stateOf(pid, data)) {
    // Its number may belong to another program by now, which must not be touched.
    if (state === "another") return;
    const late = Date.now() >= end;
    if (state === "ended") {
      // PostgreSQL takes it for running until its number is free, and says so if it never is.
      if (late) return;
    } else process.kill(pid, late ? "SIGKILL" : "SIGQUIT");
    await delay(20);
  }
}

/**
 * What became of the process with this number: a PostgreSQL over `data` that runs, another program, one that has ended and
 * that its new parent has not asked about yet, or nothing.
 */
async function stateOf(pid: number, data: string): Promise<"serves" | "another" | "ended" | "gone"> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone";
  }
  const command = await (process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8")
    : promisify(execFile)("ps", ["-o", "args=", "-p", `${pid}`]).then(({ stdout }) => stdout.trim())
  ).catch(() => "");
  if (command.includes(data)) return "serves";
  return command === "" || /^\(.*\)$/.test(command) ? "ended" : "another";
}
