import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { openRootKeys, textOfKeys } from "../../server/settings/secrets.ts";
import { atEnd } from "../support/at-end.ts";
import { drillLoad } from "../support/drill-load.ts";
import { signUp } from "../support/people.ts";
import { builtServer, clientsOf, endProcess } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";

const MIB = 1024 * 1024;
const root = new URL("../..", import.meta.url).pathname;

/** Whether this machine allows a test to mount a separate disk. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// On other machines, the tests of `service-failures.test.ts` fill a device instead.
test.runIf(canMount())(
  "on a full disk requests are refused with the reason, nothing acknowledged is lost, and all works once the disk has space",
  async () => {
    const main = await builtServer();
    const dataDir = await mkdtemp(join(tmpdir(), "skies-full-"));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const SECRET_KEY = textOfKeys(await openRootKeys({ dataDir }));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const mounted = `mount -t tmpfs -o size=400m,mode=755 tmpfs "${dataDir}" && exec "${process.execPath}" "${main}"`;
    const settings = {
      NODE_ENV: "test",
      LOG_LEVEL: "fatal",
      PORT: `${port}`,
      DATA_DIR: dataDir,
      SECRET_KEY,
      REQUEST_BUDGET: "1000000",
    };
    const child = spawn("unshare", ["--mount", "sh", "-c", mounted], {
      cwd: root,
      env: { PATH: process.env.PATH, ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
    atEnd(() => endProcess(child, "SIGTERM"));
    await serving(url, child);
    const clients = await clientsOf(dataDir);
    const ada = await signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, "Ada");
    const memoryId = (await newMemory(ada.client, { person_name: "Nonna Rosa" })).id;
    const site = { url, publishableKey: clients.publishableKey, token: ada.token, memoryId };
    const { drill, expectNothingLost } = drillLoad(site, () => child.exitCode === null);

    // The disk's path in the server's mount namespace.
    const filler = `/proc/${child.pid}/root${dataDir}/filler`;
    const fill = async () => {
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
    };
    const lines = await drill("disk full", async () => {
      // Space that the server frees is filled again at once.
      for (let times = 0; times < 20; times += 1) {
        await fill();
        await delay(400);
      }
      await rm(filler);
    });
    expect(lines).toContainEqual(expect.stringMatching(/^507 /));
    await expectNothingLost(clients.client(url, ada.token));
  },
  480_000,
);
