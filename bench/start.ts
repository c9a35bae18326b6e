import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModule, ensureBuild } from "../scripts/setup/build.mjs";
import { freePort } from "../scripts/setup/free-port.mjs";
import { startEmbeddedPostgres } from "../server/database/embedded/embedded.ts";
import { openPostgres } from "../server/database/postgres.ts";
import { multiplyPhotos } from "../tests/support/many-photos.ts";
import { interleave, judgeMost, report, timed } from "./measure.ts";
import { makeOwner } from "./media/owner.ts";
import { paintPhotos } from "./media/photos.ts";
import { root } from "./processes.ts";

const ROUNDS = 5;
const PHOTOS = 2000;
/** The server's modules without starting them, in the repository so that packages are found. */
const IMPORTED = join(root, ".cache/bench-import");
/** In MB, of both processes together. */
const MOST_MEMORY = 400;

/** The duration of a second start compared with loading the same code, and the memory after a large page. */
export async function bench() {
  await ensureBuild();
  await buildModule(IMPORTED, "server/app.ts");
  const dataDir = await mkdtemp(join(tmpdir(), "skies-bench-"));
  try {
    await (await startSkies(dataDir)).end();
    const medians = await interleave(
      {
        "importing the server": timed(importServer),
        "npm start to the first answer": async () => {
          const began = performance.now();
          const server = await startSkies(dataDir);
          const took = performance.now() - began;
          await server.end();
          return took;
        },
      },
      ROUNDS,
    );
    report("A second start, medians of interleaved rounds", medians);
    judgeMost(
      "beside node importing the same server",
      medians["npm start to the first answer"] / medians["importing the server"],
      1.5,
    );
    await measureMemory(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

let port: number | undefined;

/** Runs `npm start` until it answers. Ends all of its processes, because npm may leave the server running. */
async function startSkies(dataDir: string) {
  // Tokens contain the address, so the port must stay the same.
  port ??= await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn("npm", ["start", "--silent"], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: `${port}`, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  while (child.exitCode === null && !(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 5));
  const pid = child.pid ?? 0;
  const isAlive = () => {
    try {
      return process.kill(-pid, 0);
    } catch {
      return false;
    }
  };
  return {
    url,
    pid,
    async end() {
      if (isAlive()) process.kill(-pid, "SIGTERM");
      while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

const answers = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Loads the server's modules and packages in Node without starting anything. */
async function importServer() {
  const script = `await import(${JSON.stringify(join(IMPORTED, "app.js"))})`;
  const child = spawn(process.execPath, ["--enable-source-maps", "--input-type=module", "-e", script], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("The server could not be imported");
}

/** The memory of Node.js and PostgreSQL in MB after serving a memory of 2,000 photos and its first pictures. */
async function measureMemory(dataDir: string) {
  let server = await startSkies(dataDir);
  const owner = await makeOwner(server.url, dataDir);
  for (const photo of await paintPhotos(dataDir, 4)) {
    const body = new Uint8Array(await readFile(photo));
    const { error } = await owner.client.storage
      .from("media")
      .upload(owner.freshName("jpg"), body, { contentType: "image/jpeg" });
    if (error) throw error;
  }
  const ready = () =>
    owner.client.from("media").select("id", { count: "exact", head: true }).eq("state", "ready").throwOnError();
  while ((await ready()).count !== 4) await new Promise((resolve) => setTimeout(resolve, 50));
  await server.end();
  const postgres = await startEmbeddedPostgres(dataDir);
  const db = await openPostgres(postgres.url);
  await multiplyPhotos(db, dataDir, owner.memoryId, PHOTOS);
  await db.close();
  await postgres.close();
  server = await startSkies(dataDir);
  const headers = { ...owner.headers, apikey: owner.publishableKey };
  const names: string[] = [];
  for (const offset of [0, 1000]) {
    const reply = await fetch(
      `${server.url}/rest/v1/media?select=*&memory_id=eq.${owner.memoryId}&order=id&limit=1000&offset=${offset}`,
      { headers },
    );
    if (!reply.ok) throw new Error(`A page of photos was answered ${reply.status}: ${await reply.text()}`);
    names.push(...((await reply.json()) as { object_name: string }[]).map((row) => row.object_name));
  }
  for (const name of names.slice(0, 60)) {
    const picture = await fetch(`${server.url}/storage/v1/render/image/authenticated/media/${name}?width=480`, {
      headers,
    });
    await picture.arrayBuffer();
  }
  console.log(`\nMemory after a page of ${names.length} photos`);
  judgeMost("Node.js and PostgreSQL together", (await memoryBelow(server.pid)) / 1024, MOST_MEMORY, "MB");
  await server.end();
}

/** The memory in KB of a process and its descendants, with shared pages counted once. Linux only. */
async function memoryBelow(pid: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, "utf8").catch(() => "") : "";
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (one: number): boolean => one === pid || (one > 1 && isBelow(parents.get(one) ?? 0));
  let total = 0;
  for (const one of [...parents.keys()].filter(isBelow)) {
    const rollup = await readFile(`/proc/${one}/smaps_rollup`, "utf8").catch(() => "");
    total += Number(rollup.match(/^Pss:\s+(\d+)/m)?.[1] ?? 0);
  }
  return total;
}
