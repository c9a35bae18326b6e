import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDebianPackages, isDebian, librariesIn, unpackDebianPackages } from "../setup/debian-packages.mjs";
import { freePort } from "../setup/free-port.mjs";
import { run, start, stop } from "../setup/processes.mjs";
import { root } from "../setup/root.mjs";

const UNPACKED = join(root, ".cache/postgresql");
const OLDEST = 15;

/**
 * A PostgreSQL server of the tests' own, on a free loopback port over a folder that is thrown away; installed first
 * where it can be. Rejects with a reason that a person can act on.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startPostgres() {
  const programs = await ensurePostgres();
  const folder = mkdtempSync(join(tmpdir(), "skies-postgres-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", discard);
  const person = unprivileged();
  if (person) chownSync(folder, person.uid, person.gid);
  chmodSync(folder, 0o700);
  const libraries = programs.libraries ? { LD_LIBRARY_PATH: programs.libraries } : {};
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC", HOME: folder, ...libraries };
  const options = { env, cwd: folder, ...person };
  const cluster = join(folder, "cluster");
  const made = await run(
    join(programs.folder, "initdb"),
    ["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...options, quiet: true },
  );
  if (made.code !== 0) throw new Error(`initdb failed:\n${made.output.trim()}`);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    max_connections: 200,
    // Thrown away afterwards: durability would only cost time.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    checkpoint_timeout: "1h",
    max_wal_size: "8GB",
    autovacuum: "off",
    log_min_messages: "panic",
  };
  const server = start(
    join(programs.folder, "postgres"),
    ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...options, stdio: "ignore" },
  );
  await answering(port, server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      await stop(server);
      discard();
    },
  };
}

/** Finds PostgreSQL's programs, or installs them. Rejects with what a person can act on. */
export const ensurePostgres = async () => findPrograms() ?? (await install());

/** The newest PostgreSQL installed here that is new enough. */
function findPrograms() {
  for (const base of ["/", UNPACKED]) {
    const versions = join(base, "usr/lib/postgresql");
    if (!existsSync(versions)) continue;
    const newest = readdirSync(versions)
      .map(Number)
      .filter((version) => version >= OLDEST && existsSync(join(versions, `${version}`, "bin/initdb")))
      .sort((a, b) => b - a)[0];
    if (newest)
      return { folder: join(versions, `${newest}`, "bin"), libraries: base === UNPACKED ? librariesIn(base) : "" };
  }
  return undefined;
}

async function install() {
  if (!isDebian()) throw new Error(`Install PostgreSQL ${OLDEST} or newer, or set TEST_DATABASE_URL.`);
  console.log("Installing PostgreSQL…");
  if (process.getuid?.() === 0) await installDebianPackages(["postgresql"]);
  else await unpackDebianPackages(["postgresql"], UNPACKED);
  const programs = findPrograms();
  if (!programs)
    throw new Error(`Debian's PostgreSQL here is older than ${OLDEST}. Set TEST_DATABASE_URL to a newer one.`);
  return programs;
}

/** PostgreSQL refuses to run as root: as root it runs as `nobody`, whose numbers are the same on every Debian. */
const unprivileged = () => (process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined);

/**
 * Resolves once the port is open; rejects when the server ends first.
 * @param {number} port
 * @param {import("node:child_process").ChildProcess} server
 */
async function answering(port, server) {
  const ended = once(server, "close").then(([code]) => {
    throw new Error(`PostgreSQL ended with ${code} as it started.`);
  });
  const open = (async () => {
    while (server.exitCode === null) {
      const socket = connect(port, "127.0.0.1");
      const opened = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (opened) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await Promise.race([ended, open]);
  ended.catch(() => {});
}
