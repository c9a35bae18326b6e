import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { openRootKeys, textOfKeys } from "../../server/settings/secrets.ts";
import { atEnd } from "./at-end.ts";
import { builtServer, endProcess } from "./server-process.ts";

const MIB = 1024 * 1024;
const root = new URL("../..", import.meta.url).pathname;

/** Whether this machine allows a test to mount a separate disk. */
export function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A server whose data folder is a disk of its own, with its own database on it. */
export interface ServerOnSmallDisk {
  url: string;
  child: ChildProcess;
  /** The folder with its secrets; what else is in it, only the server sees. */
  dataDir: string;
  /** The path of a file on the disk, for this process. */
  filler: string;
  /** Fills the disk; resolves when there is no space left. */
  fill(): Promise<void>;
}

/** Starts a server on a disk of 400 MiB; stopped after the test. */
export async function serverOnSmallDisk(environment: Record<string, string> = {}): Promise<ServerOnSmallDisk> {
  const main = await builtServer();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-full-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const SECRET_KEY = textOfKeys(await openRootKeys({ dataDir }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const mounted = `mount -t tmpfs -o size=400m,mode=755 tmpfs "${dataDir}" && exec "${process.execPath}" "${main}"`;
  const settings = { NODE_ENV: "test", LOG_LEVEL: "fatal", PORT: `${port}`, DATA_DIR: dataDir, SECRET_KEY };
  const child = spawn("unshare", ["--mount", "sh", "-c", mounted], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  atEnd(() => endProcess(child, "SIGTERM"));
  await serving(url, child);
  // The disk's path in the server's mount namespace.
  const filler = `/proc/${child.pid}/root${dataDir}/filler`;
  return {
    url,
    child,
    dataDir,
    filler,
    async fill() {
      const file = await open(filler, "a");
      try {
        for (const bytes of [Buffer.alloc(MIB), Buffer.alloc(4096)]) {
          for (let written = bytes.length; written === bytes.length; )
            ({ bytesWritten: written } = await file.write(bytes));
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
  };
}
