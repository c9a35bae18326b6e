import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

/** An account that PostgreSQL agrees to run as. */
export interface Account {
  /** Starts a program with it. */
  spawn(program: string, args: string[], options: SpawnOptions): ChildProcess;
  /** Who must own PostgreSQL's files, where that is not simply whoever writes them. */
  owner?: number;
}

/** The account called nobody; its numbers are the same on every Debian. */
const NOBODY = 65_534;
/**
 * Chooses how PostgreSQL's programs run, for which it refuses to be root: as this process where that is not root, else as
 * the owner of `folder`, or as nobody. Root's `folder` is given to that account. Rejects with what to do where root has no
 * way to give its rights up.
 */
export async function chooseAccount(program: string, folder: string): Promise<Account> {
  const own: Account = { spawn };
  if (process.getuid?.() !== 0) return own;
  const { uid: ownerOfData } = await stat(folder);
  const uid = ownerOfData || NOBODY;
  const choices: Required<Account>[] = [
    { owner: uid, spawn: (name, args, options) => spawn(name, args, { ...options, uid, gid: uid }) },
    { owner: uid, spawn: through("setpriv", keepingFileAccess(uid)) },
    // Without a mapping, root's files and root itself appear as nobody's, on both sides of PostgreSQL's comparison.
    { owner: 0, spawn: through("unshare", ["--user"]) },
  ];
  for (const account of choices) {
    await promisify(execFile)("chown", ["-R", "-h", `${account.owner}:${account.owner}`, folder]);
    if (await works(account, program, folder)) return account;
  }
  throw new Error(
    "PostgreSQL does not run as root, and here root can give its rights up neither by setpriv nor in a user namespace. " +
      "Start Skies as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.",
  );
}

const through =
  (command: string, prefix: string[]): Account["spawn"] =>
  (program, args, options) =>
    spawn(command, [...prefix, program, ...args], options);

/** Gives up everything but root's override of file permissions, so that a folder only root may enter can hold the data. */
function keepingFileAccess(uid: number): string[] {
  const capabilities = "-all,+dac_override";
  return [
    "--securebits=+no_setuid_fixup",
    ...[`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"],
    ...[`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`],
  ];
}

/** Whether a program starts with this account and can write in `folder`. */
async function works({ spawn }: Account, program: string, folder: string): Promise<boolean> {
  const script = 'cd "$1" && touch .probe && rm .probe && exec "$2" --version';
  const child = spawn("/bin/sh", ["-c", script, "sh", folder, program], { stdio: "ignore", cwd: "/" });
  const [code] = await once(child, "exit").catch(() => [1]);
  return code === 0;
}
