import { execFile, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access, chmod, chown, constants, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { lockFolder } from "../folder-lock.ts";
import { type Account, chooseAccount, forgetAccount } from "./account.ts";
import { ENVIRONMENT, openCluster, SUPERUSER } from "./cluster.ts";
import { findPrograms, type Programs } from "./programs.ts";
import { supervise } from "./supervise.ts";

/** How long PostgreSQL may take to stop before it is killed, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Stops the PostgreSQL that an earlier process left running over `data`, if there is one. The caller holds the folder's
 * lock, so no running Skies uses it.
 */
async function stopLeftover(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0]);
  if (!(pid > 1)) return;
  const end = Date.now() + TIMEOUT_MS;
  for (let state = await stateOf(pid, data); state !== "gone"; state = await stateOf(pid, data)) {
    // Another program has the process id now.
    if (state === "another") return;
    const late = Date.now() >= end;
    if (state === "ended") {
      // PostgreSQL refuses to start while the process id is in use, and reports it.
      if (late) return;
    } else process.kill(pid, late ? "SIGKILL" : "SIGQUIT");
    await delay(20);
  }
}

/** The state of a process: a PostgreSQL over `data`, another program, a zombie, or gone. */
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

/** The URL of the PostgreSQL that another process runs over a folder of `dataDir`, from PostgreSQL's own files. */
export async function runningPostgresUrl(dataDir: string): Promise<string> {
  const folder = resolve(dataDir, "postgres");
  const lines = (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n");
  const [port = "", sockets = "", host = ""] = lines.slice(3, 6);
  const password = (await readFile(join(folder, "password"), "utf8")).trim();
  const address: Record<string, string> = sockets ? { host: sockets } : { host, port };
  return `postgres://${SUPERUSER}:${password}@localhost/postgres?${new URLSearchParams(address)}`;
}

/** A PostgreSQL that this process started. */
interface EmbeddedPostgres {
  /** The URL with its password. */
  url: string;
  /** The id of its process, which changes after a crash. */
  pid(): number | undefined;
  /** Stops it after its clients have disconnected, and releases the folder. */
  close(): Promise<void>;
}

/** The maximum length of a socket's folder, so that its path with the file name is valid on every system. */
const LONGEST_SOCKET_FOLDER = 85;

/**
 * Starts PostgreSQL over a folder of `dataDir`, which is made if missing; resolves when it is ready. Rejects with a
 * message for the administrator if another process uses the folder, an earlier version of Skies made it, or PostgreSQL
 * cannot run here. It ends with this process, and is restarted after a crash.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const launched = await launchEmbeddedPostgres(dataDir, settings);
  await launched.serving;
  return launched;
}

interface LaunchedPostgres extends EmbeddedPostgres {
  /** Resolves when it is ready. Rejects if it cannot start, and is closed then. */
  serving: Promise<void>;
}

/** {@link startEmbeddedPostgres}, but resolves as soon as its process runs, so that the caller can work meanwhile. */
export async function launchEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<LaunchedPostgres> {
  if (existsSync(join(dataDir, "database/cluster"))) {
    throw new Error(
      `${join(dataDir, "database")} was made by an earlier version of Skies with another database (PGlite), which this version ` +
        "cannot read. Set DATA_DIR to another folder; nothing in the old one is changed.",
    );
  }
  const folder = resolve(dataDir, "postgres");
  await makeWritable(dataDir, folder);
  const unlock = await lockFolder(folder);
  try {
    const programs = await findPrograms();
    await stopLeftover(join(folder, "data"));
    let current = await launch(folder, programs, settings);
    const close = async () => {
      await current.close();
      await unlock();
    };
    const serving = current.serving
      .catch(async (error: unknown) => {
        if (!current.remembered) throw error;
        await current.close();
        await forgetAccount(folder);
        current = await launch(folder, programs, settings);
        await current.serving;
      })
      .catch(async (error: unknown) => {
        await close();
        throw error;
      });
    // The caller handles the failure by awaiting `serving`; this prevents an unhandled rejection.
    serving.catch(() => {});
    return {
      get url() {
        return current.url;
      },
      pid: () => current.pid(),
      serving,
      close,
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** One attempt to start, with the account of {@link chooseAccount}. */
async function launch(folder: string, programs: Programs, settings: Record<string, string>) {
  const account = await chooseAccount(programs.postgres, folder);
  const { data, password } = await openCluster(folder, programs, account);
  const address = await chooseAddress(folder, account);
  const url = `postgres://${SUPERUSER}:${password}@localhost/postgres?${new URLSearchParams(address.client)}`;
  const server = supervise({
    start: () => account.spawn(programs.postgres, serverArguments(data, { ...address.server, ...settings }), SPAWNING),
    url,
    folder,
    data,
  });
  return {
    url,
    remembered: account.remembered === true,
    pid: server.pid,
    serving: server.serving,
    async close() {
      await server.stop();
      await address.remove();
    },
  };
}

async function makeWritable(dataDir: string, folder: string) {
  try {
    await mkdir(dataDir, { recursive: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK);
    await chmod(folder, 0o700);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw new Error(`The disk that holds ${dataDir} is full. Free some space and start again.`);
    throw new Error(`The data folder ${dataDir} cannot be written: ${message}. Set DATA_DIR to a folder that can.`);
  }
}

/** A separate process group: a terminal's interrupt reaches only Skies, which stops PostgreSQL after the requests. */
const SPAWNING: SpawnOptions = { stdio: ["ignore", "pipe", "pipe"], cwd: "/", env: ENVIRONMENT, detached: true };

interface Address {
  server: Record<string, string>;
  /** Parameters of a connection URL. */
  client: Record<string, string>;
  remove(): Promise<void>;
}

/** A Unix socket in a folder that only its owner can enter; on Windows, where Node.js has none, a loopback port. */
async function chooseAddress(folder: string, account: Account): Promise<Address> {
  if (process.platform === "win32") {
    const port = await freePort();
    const server = { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: `${port}` };
    return { server, client: { host: "127.0.0.1", port: `${port}` }, remove: async () => {} };
  }
  const inside = join(folder, "socket");
  const short = inside.length <= LONGEST_SOCKET_FOLDER;
  if (short) await mkdir(inside, { recursive: true, mode: 0o700 });
  const sockets = short ? inside : await mkdtemp(join(tmpdir(), "skies-socket-"));
  if (account.owner !== undefined) await chown(sockets, account.owner, account.owner);
  return {
    server: { listen_addresses: "", unix_socket_directories: sockets, unix_socket_permissions: "0700" },
    client: { host: sockets },
    remove: () => rm(sockets, { recursive: true, force: true }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The settings of a small installation. All others have their defaults, so every commit is synced to the disk. */
const SETTINGS = {
  // For the server's pool and listeners, and an administrator's tools.
  max_connections: "60",
  shared_buffers: "128MB",
  // A query that needs more for sorting is a mistake or an attack.
  temp_file_limit: "512MB",
  // Cancels queries whose client has disconnected.
  client_connection_check_interval: "1s",
  // Row policies look expensive to the planner, so that it would compile nearly every query, which is slower.
  jit: "off",
  // Saves three processes; the data of most installations fit into memory.
  io_method: "sync",
  timezone: "UTC",
  log_timezone: "UTC",
  // Less severe messages quote values that people entered.
  log_min_messages: "fatal",
  log_min_error_statement: "panic",
};

const serverArguments = (data: string, settings: Record<string, string>) => [
  "-D",
  data,
  ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];
