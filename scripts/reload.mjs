// Plain JavaScript without packages: systemd runs it in an installation. It replaces the workers of a running server by those of the
// installed version, and ends when that has succeeded or failed: `DATA_DIR=… node scripts/reload.mjs`.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const path = join(process.env.DATA_DIR || "./data", "reload.json");

/** @returns {{ pid: number, reloads: number, error: string | null }} */
const readState = () => JSON.parse(readFileSync(path, "utf8"));

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Whether this is the server's process. A killed server leaves its state, and another program may have its id by now. systemd
 * tells the id of the process that it started.
 * @param {number} pid
 */
const isServer = (pid) => isAlive(pid) && (!process.env.MAINPID || Number(process.env.MAINPID) === pid);

/** Resolves to the reason why the workers were not replaced; null if they were. */
async function reload() {
  let before;
  try {
    before = readState();
  } catch {
    before = undefined;
  }
  if (!before || !isServer(before.pid))
    return "No server with workers runs here. One without workers cannot be replaced while it serves: set WORKERS, or restart it.";
  process.kill(before.pid, "SIGHUP");
  while (isAlive(before.pid)) {
    const { reloads, error } = readState();
    if (reloads > before.reloads) return error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return "The server ended.";
}

const failure = await reload();
if (failure === null) console.log("Every worker has been replaced.");
else console.error(failure);
process.exitCode = failure === null ? 0 : 1;
