import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { ensureNginx, ensureOpenssl } from "../../scripts/setup/test-programs.mjs";

const DEPLOY = new URL("../../deploy/", import.meta.url);

export interface Proxy {
  /** Where it serves. Without `tls`, it serves in clear text what it serves in TLS otherwise. */
  url: string;
  /** The port that redirects to TLS; only of `nginx.conf`. */
  clearPort: number;
  close(): Promise<void>;
}

/**
 * Starts nginx with one of the repository's configurations in front of servers on these loopback ports; with `tls`, with
 * a certificate that nobody trusts.
 */
export async function startProxy(
  ports: number[],
  { name = "nginx.conf", tls = false }: { name?: "nginx.conf" | "edge.conf"; tls?: boolean } = {},
): Promise<Proxy> {
  const { file, libraries } = await ensureNginx();
  const folder = await mkdtemp(join(tmpdir(), "skies-proxy-"));
  const [port, clearPort] = [await freePort(), await freePort()];
  const text = await readFile(new URL(name, DEPLOY), "utf8");
  // Replaces only locations: host names, folders and ports.
  const [first = 0, ...others] = ports;
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=2 fail_timeout=2s;`).join("\n");
  const withoutTls = (lines: string) => lines.replace(" ssl http2;", ";").replaceAll(/^ *ssl_.*$/gm, "");
  const config = (tls ? text : withoutTls(text))
    .replace(/server skies-1:3000[^;]*;/, others.length > 0 ? servers : `server 127.0.0.1:${first};`)
    .replace(/server skies-2:3000[^;]*;/, "")
    .replaceAll(" /tmp/", ` ${folder}/`)
    .replaceAll("/etc/nginx/tls", `${folder}/tls`)
    .replace("listen 8443", `listen 127.0.0.1:${port}`)
    .replace(/^ {4}listen 8080;/m, `listen 127.0.0.1:${name === "nginx.conf" ? clearPort : port};`)
    // The machine's cores are shared by tests.
    .replace("worker_processes auto;", "worker_processes 2;");
  await mkdir(join(folder, "tls/acme/.well-known/acme-challenge"), { recursive: true });
  await writeFile(join(folder, "tls/acme/.well-known/acme-challenge/token"), "authorized");
  if (tls) await makeCertificate(join(folder, "tls"));
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
  const url = `http${tls ? "s" : ""}://127.0.0.1:${port}`;
  const clear = `http://127.0.0.1:${name === "nginx.conf" ? clearPort : port}`;
  while (!(await fetch(`${clear}/healthz`, { redirect: "manual" }).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${said}`);
  }
  return {
    url,
    clearPort,
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

/** Writes `cert.pem` and `key.pem` for 127.0.0.1 into a folder. */
export async function makeCertificate(folder: string) {
  const { file, libraries } = await ensureOpenssl();
  const names = ["-subj", "/CN=skies.test", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  // An empty configuration, because an unpacked openssl looks for its own in a folder that is not there.
  await writeFile(join(folder, "openssl.cnf"), "[req]\ndistinguished_name=names\n[names]\n");
  execFileSync(
    file,
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      ...names,
      ...files,
    ],
    {
      stdio: "pipe",
      env: { OPENSSL_CONF: join(folder, "openssl.cnf"), ...(libraries && { LD_LIBRARY_PATH: libraries }) },
    },
  );
}
