import { spawn } from "node:child_process";
import { root } from "./root.mjs";

/** All running processes that were started here. Each leads a process group, so that its children end with it. */
const running = new Set();

/**
 * Starts a command in the package's folder, in its own process group.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", detached: true, ...options });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/**
 * Runs a command to its end. Resolves to its exit code (null after a signal or timeout) and its output, which is not
 * shown if `quiet`.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { quiet?: boolean, minutes?: number }} [options]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function run(command, args, { quiet = false, minutes, ...options } = {}) {
  return new Promise((resolve) => {
    const child = start(command, args, { ...options, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const limit = minutes === undefined ? undefined : setTimeout(() => void stop(child), minutes * 60_000);
    const finish = (/** @type {number | null} */ code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output });
    };
    child.once("error", (error) => {
      output += error.message;
      finish(127);
    });
    child.once("close", finish);
  });
}

/**
 * Ends a process group, gently first; resolves when it has ended.
 * @param {import("node:child_process").ChildProcess} child
 */
export async function stop(child) {
  if (!child.pid || !running.has(child)) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  signal(child, "SIGTERM");
  const hurry = setTimeout(() => signal(child, "SIGKILL"), 5000);
  await gone;
  clearTimeout(hurry);
}

/** Ends all processes that were started here. */
export const stopAll = () => Promise.all([...running].map(stop));

/** On a signal, ends all processes that were started here, then this process. */
export function endTogether() {
  for (const [name, number] of /** @type {const} */ ([
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ])) {
    process.once(name, async () => {
      await stopAll();
      process.exit(128 + number);
    });
  }
  process.once("exit", () => {
    for (const child of running) signal(child, "SIGKILL");
  });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} name
 */
function signal(child, name) {
  try {
    if (child.pid) process.kill(-child.pid, name);
  } catch {
    // The process has already ended.
  }
}
