import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import type { Programs } from "./programs.ts";
import { StartError } from "./start-error.ts";

export const SUPERUSER = "skies";
/** Without this process's environment, because PG… variables would change PostgreSQL's settings. */
export const ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** The files of one PostgreSQL installation. */
export interface Cluster {
  /** PostgreSQL's own data folder. */
  data: string;
  /** The random password of {@link SUPERUSER}; it is stored in the folder. */
  password: string;
}

/**
 * Opens the cluster in `folder`, or creates it. A new one is made in another folder and renamed, so that an interrupted
 * first start leaves no incomplete database. Rejects a cluster of another major version of PostgreSQL.
 */
export async function openCluster(folder: string, programs: Programs, account: Account): Promise<Cluster> {
  const [data, passwordFile] = [join(folder, "data"), join(folder, "password")];
  if (!existsSync(data)) await makeCluster(folder, data, programs, account);
  const dataVersion = (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  if (dataVersion !== programs.version) {
    throw new Error(
      `${data} was made by PostgreSQL ${dataVersion}, and this is PostgreSQL ${programs.version}. Start the version of Skies that made it, ` +
        "or set DATA_DIR to another folder.",
    );
  }
  return { data, password: (await readFile(passwordFile, "utf8")).trim() };
}

async function makeCluster(folder: string, data: string, programs: Programs, account: Account) {
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  if (account.owner !== undefined) await chown(passwordFile, account.owner, account.owner);
  const { code, output } = await run(account, programs.initdb, [
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    // The same collation on every system.
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    // A random password needs no repeated hashing, which would only slow down connecting.
    "--set=scram_iterations=1",
    "--no-instructions",
  ]);
  if (code !== 0) throw new StartError(folder, output);
  await rename(fresh, data);
}

function run({ spawn }: Account, program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], cwd: "/", env: ENVIRONMENT });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}
