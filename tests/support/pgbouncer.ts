import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { ensurePgbouncer } from "../../scripts/setup/test-programs.mjs";
import { atEnd } from "./at-end.ts";

/** A loopback port that forwards to a database, which may have only a socket. */
export async function portOf(databaseUrl: string): Promise<number> {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const sockets = searchParams.get("host");
  const behind = sockets ? { path: `${sockets}/.s.PGSQL.5432` } : { host: hostname, port: Number(port || 5432) };
  const line = createServer((near) => {
    const far = connect(behind);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      pipeline(from, to, () => to.destroy());
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  atEnd(async () => void line.close());
  return (line.address() as AddressInfo).port;
}

/** Starts PgBouncer before a database with few connections, so that transactions share them. Resolves to its URL. */
export async function poolerBefore(databaseUrl: string, connections: number): Promise<string> {
  const { file: program, libraries } = await ensurePgbouncer();
  const { username, password, pathname } = new URL(databaseUrl);
  // PgBouncer does not run as root, and other accounts cannot enter the folder of the database's socket.
  const behind = await portOf(databaseUrl);
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "skies-pooler-"));
  await chmod(folder, 0o755);
  await writeFile(join(folder, "users.txt"), `"${username}" "${decodeURIComponent(password)}"\n`);
  const config = [
    "[databases]",
    `* = host=127.0.0.1 port=${behind}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    `auth_type = trust\nauth_file = ${join(folder, "users.txt")}`,
    `pool_mode = transaction\ndefault_pool_size = ${connections}\nmax_client_conn = 500`,
  ];
  await writeFile(join(folder, "pgbouncer.ini"), config.join("\n"));
  // Its account may not be able to read the repository's folder.
  await cp(program, join(folder, "pgbouncer"));
  for (const path of libraries.split(":").filter(Boolean))
    await cp(path, join(folder, "lib"), { recursive: true, dereference: true });
  const child = spawn(join(folder, "pgbouncer"), [join(folder, "pgbouncer.ini")], {
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
    env: { LD_LIBRARY_PATH: join(folder, "lib") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  atEnd(async () => {
    const gone = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await gone;
    await rm(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("process up")) resolve();
    });
    child.once("exit", () => reject(new Error(`PgBouncer ended: ${said}`)));
  });
  return `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`;
}
