import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { ensureNginx } from "../../scripts/setup/test-programs.mjs";

const DEPLOY = new URL("../../deploy/", import.meta.url);

export interface Proxy {
  url: string;
  close(): Promise<void>;
}

/** Starts nginx with one of the repository's configurations in front of servers on these loopback ports. */
export async function startProxy(ports: number[], name: "nginx.conf" | "edge.conf" = "nginx.conf"): Promise<Proxy> {
  const { file, libraries } = await ensureNginx();
  const folder = await mkdtemp(join(tmpdir(), "skies-proxy-"));
  const port = await freePort();
  const text = await readFile(new URL(name, DEPLOY), "utf8");
  // Replaces only locations: host names, folders and ports.
  const [first = 0, ...others] = ports;
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=2 fail_timeout=2s;`).join("\n");
  const config = text
    .replace(/server skies-1:3000[^;]*;/, others.length > 0 ? servers : `server 127.0.0.1:${first};`)
    .replace(/server skies-2:3000[^;]*;/, "")
    .replaceAll("/etc/nginx/tls", `${folder}/tls`)
    .replaceAll(" /tmp/", ` ${folder}/`)
    .replace("listen 8080;", `listen 127.0.0.1:${port};`)
    // The machine's cores are shared by tests.
    .replace("worker_processes auto;", "worker_processes 2;");
  await mkdir(join(folder, "tls"));
  await writeFile(join(folder, "nginx.conf"), config);
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const child = spawn(file, ["-c", join(folder, "nginx.conf"), "-p", folder, "-g", `daemon off; ${user}`], {
    env: { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${said}`);
  }
  return {
    url,
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGQUIT");
      const hard = setTimeout(() => child.kill("SIGTERM"), 2000);
      await gone;
      clearTimeout(hard);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
