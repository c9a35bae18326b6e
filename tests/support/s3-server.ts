import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { ensureCeph } from "../../scripts/setup/ceph.mjs";
import { freePort } from "../../scripts/setup/free-port.mjs";

const run = promisify(execFile);
const KEYS = { accessKeyId: "SKIESTESTACCESSKEY", secretAccessKey: "a secret key of the tests only" };

export interface S3Server {
  endpoint: string;
  client: S3Client;
  /** A new bucket, as settings of a server. */
  bucket(): Promise<Record<string, string>>;
  /** Pauses the gateway's responses. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Starts Ceph's S3 gateway over a cluster of one monitor and one in-memory store. It verifies signatures, hashes, part
 * sizes and ranges. Without `tcp_nodelay` a response in two small packets waits 40 ms for an acknowledgement.
 */
export async function startS3(): Promise<S3Server> {
  const { folder: ceph, libraries } = await ensureCeph();
  const folder = await mkdtemp(join(tmpdir(), "skies-s3-"));
  const [monitor, monitor1, gateway] = [await freePort(), await freePort(), await freePort()];
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries };
  const bin = (name: string) => join(ceph, "usr/bin", name);
  const config = join(folder, "ceph.conf");
  const call = (name: string, ...args: string[]) => run(bin(name), ["-c", config, ...args], { env });
  const children: ChildProcess[] = [];
  const serve = (name: string, ...args: string[]) => {
    const child = spawn(bin(name), ["-c", config, "-f", ...args], { env, stdio: "ignore" });
    children.unshift(child);
    return child;
  };
  const close = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "exit");
      // All of its data is in memory and not needed any more.
      child.kill("SIGKILL");
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const addresses = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitor1}]`;
    for (const name of ["mon", "osd", "run"]) await mkdir(join(folder, name));
    await writeFile(config, configuration(ceph, folder, addresses, gateway));
    const keyring = join(folder, "keyring");
    await call("ceph-authtool", "--create-keyring", keyring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *");
    const caps = ["--cap", "mon", "allow *", "--cap", "osd", "allow *"];
    for (const name of ["client.admin", "osd.0"])
      await call("ceph-authtool", keyring, "--gen-key", "-n", name, ...caps);
    const [monmap, osdmap] = [join(folder, "monmap"), join(folder, "osdmap")];
    await call("monmaptool", "--create", "--fsid", FSID, "--addv", "a", addresses, monmap);
    await call("osdmaptool", "--createsimple", "1", osdmap);
    await call("ceph-mon", "--mkfs", "-i", "a", "--monmap", monmap, "--osdmap", osdmap, "--keyring", keyring);
    serve("ceph-mon", "-i", "a");
    await call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", FSID);
    serve("ceph-osd", "-i", "0");
    const keys = ["--access-key", KEYS.accessKeyId, "--secret-key", KEYS.secretAccessKey];
    await call("radosgw-admin", "user", "create", "--uid=skies", "--display-name=Skies", ...keys);
    const endpoint = `http://127.0.0.1:${gateway}`;
    const child = serve("radosgw", "-n", "client.admin");
    while (!(await fetch(endpoint).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode} before it answered`);
      await delay(50);
    }
    const client = new S3Client({ endpoint, region: "default", forcePathStyle: true, credentials: KEYS });
    let buckets = 0;
    return {
      endpoint,
      client,
      async bucket() {
        buckets += 1;
        const name = `skies-${buckets}`;
        await client.send(new CreateBucketCommand({ Bucket: name }));
        return {
          S3_ENDPOINT: endpoint,
          S3_REGION: "default",
          S3_BUCKET: name,
          S3_ACCESS_KEY_ID: KEYS.accessKeyId,
          S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
        };
      },
      pause: () => void child.kill("SIGSTOP"),
      resume: () => void child.kill("SIGCONT"),
      async close() {
        client.destroy();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const FSID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const configuration = (ceph: string, folder: string, monitor: string, gateway: number) => `[global]
fsid = ${FSID}
mon initial members = a
mon host = ${monitor}
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/run/$name.log
plugin dir = ${ceph}/usr/lib/x86_64-linux-gnu/ceph
erasure code dir = ${ceph}/usr/lib/x86_64-linux-gnu/ceph/erasure-code
osd class dir = ${ceph}/usr/lib/x86_64-linux-gnu/rados-classes
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
public addr = 127.0.0.1
cluster addr = 127.0.0.1
paxos propose interval = 0.05
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 1
mon max pg per osd = 1000
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw frontends = beast endpoint=127.0.0.1:${gateway} tcp_nodelay=1
rgw dynamic resharding = false
rgw override bucket index max shards = 1
`;
