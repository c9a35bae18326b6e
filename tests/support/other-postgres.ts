import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { chooseAccount } from "../../server/database/embedded/account.ts";
import { ENVIRONMENT, SUPERUSER } from "../../server/database/embedded/cluster.ts";
import { linkLibraries } from "../../server/database/embedded/programs.ts";
import { supervise } from "../../server/database/embedded/supervise.ts";

/**
 * Starts a PostgreSQL of another version than the one that comes with Skies. `programs` has `bin/initdb` and
 * `bin/postgres`; its data is in `folder`.
 */
export async function startOtherPostgres(programs: string, folder: string, settings: Record<string, string>) {
  const home = resolve(programs);
  // If it is a package of npm, which cannot contain links.
  await linkLibraries(dirname(home));
  const [initdb, postgres] = ["initdb", "postgres"].map((name) => join(home, "bin", name)) as [string, string];
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  console.info(`The tests use ${stdout.trim()}.`);
  const own = join(folder, "postgres");
  await mkdir(own);
  const account = await chooseAccount(postgres, own);
  const data = join(own, "data");
  const start = (program: string, args: string[]) =>
    account.spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], cwd: "/", env: ENVIRONMENT, detached: true });
  // The same order and the same small letters as with the builtin locale of later versions.
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8"];
  await ended(start(initdb, [`--pgdata=${data}`, `--username=${SUPERUSER}`, "--auth=trust", "--no-sync", ...locale]));
  const port = `${await freePort()}`;
  const all = {
    ...settings,
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    jit: "off",
    timezone: "UTC",
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`;
  const server = supervise({ start: () => start(postgres, ["-D", data, ...options]), url, folder: own, data });
  await server.serving;
  return { url, close: () => server.stop() };
}

/** Resolves when a program has ended well; rejects with its words otherwise. */
async function ended(child: ChildProcess) {
  const [code, ...output] = await Promise.all([
    once(child, "close").then(([result]) => result as number | null),
    ...[child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  ]);
  if (code !== 0) throw new Error(output.join("\n"));
}
