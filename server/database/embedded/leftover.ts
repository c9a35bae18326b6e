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
  // Its number may belong to another program by now, which must not be touched.
  while (await serves(pid, data)) {
    process.kill(pid, Date.now() < end ? "SIGQUIT" : "SIGKILL");
    await delay(20);
  }
}

/** Whether the process with this number is a PostgreSQL over `data`. */
async function serves(pid: number, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const command = await (process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8")
    : promisify(execFile)("ps", ["-o", "args=", "-p", `${pid}`]).then(({ stdout }) => stdout)
  ).catch(() => "");
  return command.includes(data);
}
