import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** An operating system account that PostgreSQL can run as. */
export interface Account {
  /** Starts a program as this account. */
  spawn(program: string, args: string[], options: SpawnOptions): ChildProcess;
  /** The required owner of PostgreSQL's files; absent if it is this process's account. */
  owner?: number;
  /** Chosen by an earlier start and not tested again. If PostgreSQL does not start, another account is chosen. */
  remembered?: boolean;
}

/** The account `nobody`, with the same number on every Debian. */
const NOBODY = 65_534;

/**
 * Chooses the account for PostgreSQL's programs, which refuse to run as root: this process's account if it is not root,
 * otherwise the owner of `folder`, or `nobody`. A `folder` of root is given to that account. The choice is stored in
 * `folder`, because testing it takes longer than starting PostgreSQL. Rejects with advice if root cannot drop its
 * rights.
 */
export async function chooseAccount(program: string, folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return { spawn };
  const { uid: ownerOfData } = await stat(folder);
  const choices = accountsFor(ownerOfData || NOBODY);
  const choiceFile = join(folder, CHOICE_FILE);
  const rememberedName = await readFile(choiceFile, "utf8").catch(() => undefined);
  const remembered = choices.find(({ name }) => name === rememberedName);
  if (remembered && remembered.owner === ownerOfData) return { ...remembered, remembered: true };
  for (const account of choices) {
    await promisify(execFile)("chown", ["-R", "-h", `${account.owner}:${account.owner}`, folder]);
    if (!(await works(account, program, folder))) continue;
    await writeFile(choiceFile, account.name);
    return account;
  }
  throw new Error(
    "PostgreSQL does not run as root, and here root can give its rights up neither by setpriv nor in a user namespace. " +
      "Start Skies as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.",
  );
}

/** Makes the next {@link chooseAccount} test the accounts again. */
export const forgetAccount = (folder: string) => rm(join(folder, CHOICE_FILE), { force: true });

const CHOICE_FILE = "account";

const accountsFor = (uid: number) => [
  {
    name: "user",
    owner: uid,
    spawn: (program: string, args: string[], options: SpawnOptions) =>
      spawn(program, args, { ...options, uid, gid: uid }),
  },
  { name: "setpriv", owner: uid, spawn: through("setpriv", keepingFileAccess(uid)) },
  // Without a mapping, root and its files appear as `nobody` within the namespace, so PostgreSQL sees the right owner.
  { name: "user-namespace", owner: 0, spawn: through("unshare", ["--user"]) },
];

const through =
  (command: string, prefix: string[]): Account["spawn"] =>
  (program, args, options) =>
    spawn(command, [...prefix, program, ...args], options);

/** Keeps only the capability to override file permissions, so that only root needs access to the data's folder. */
function keepingFileAccess(uid: number): string[] {
  const capabilities = "-all,+dac_override";
  return [
    "--securebits=+no_setuid_fixup",
    `--reuid=${uid}`,
    `--regid=${uid}`,
    "--clear-groups",
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
  ];
}

/** Whether a program runs as this account and can write in `folder`. */
async function works({ spawn }: Account, program: string, folder: string): Promise<boolean> {
  const script = 'cd "$1" && touch .probe && rm .probe && exec "$2" --version';
  const child = spawn("/bin/sh", ["-c", script, "sh", folder, program], { stdio: "ignore", cwd: "/" });
  const [code] = await once(child, "exit").catch(() => [1]);
  return code === 0;
}
