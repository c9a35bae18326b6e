import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPostgres } from "../server/database/postgres.ts";
import { startS3 } from "../tests/support/s3-server.ts";
import { jpeg } from "../tests/support/uploads.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { judgeMost, type Load, median, percentile } from "./measure.ts";
import { makeOwner, type Owner } from "./media/owner.ts";
import { type Child, memoryOf, startClient } from "./processes.ts";

/** Reads without pauses, to measure the machine's maximum. */
const READS = 800;
const CLIENTS = 32;
/** Parallel requests before and after the measurement. */
const LANES = 16;
/** The interval of memory measurements in milliseconds. */
const LOOKING_MS = 1000;
/** The number of photos signed in one request. */
const SIGNED = 100;

interface Person {
  /** A loopback address; each household has its own. */
  address: string;
  headers: Record<string, string>;
  memoryId: string;
  isGuest: boolean;
}

/** The duration of each request, and what the server acknowledged. */
interface Ledger {
  /** Durations by kind of request, in the order of their ends. */
  times: Map<string, number[]>;
  errors: Map<string, number>;
  comments: Set<string>;
  photos: Map<string, string>;
}

/** Mixed work of people and guests, on one process and on three, with PostgreSQL and S3 behind the proxy. */
export async function bench(load: Load) {
  const results: Throughput[] = [];
  const s3 = await startS3();
  try {
    for (const processes of [1, 3]) {
      const folder = await mkdtemp(join(tmpdir(), "skies-load-"));
      console.log(
        `\n${load.people} people and ${load.guests} guests for ${load.minutes} minutes, ${processes} ${processes === 1 ? "process" : "processes"}`,
      );
      const cluster = await startCluster(folder, processes, { PASSWORD_HASH_MIB: "8", ...(await s3.bucket()) });
      try {
        results.push(await measure(cluster, folder, load));
      } finally {
        await cluster.end();
        await rm(folder, { recursive: true, force: true });
      }
    }
  } finally {
    await s3.close();
  }
  const [one, three] = results;
  if (!one || !three) return;
  console.log(
    `\nThroughput of three processes beside one, on ${availableParallelism()} cores that they share with all else`,
  );
  for (const [what, key] of [
    ["mixed work", "mixed"],
    ["reads at the most", "reads"],
  ] as const)
    console.log(
      `  ${what.padEnd(20)} ${(three[key] / one[key]).toFixed(2)} x  (${one[key].toFixed(0)} and ${three[key].toFixed(0)} requests a second)`,
    );
}

/** Requests a second: of people who pause between requests, and of clients that send reads without pauses. */
interface Throughput {
  mixed: number;
  reads: number;
}

async function measure(cluster: Cluster, folder: string, load: Load): Promise<Throughput> {
  const owner = await makeOwner(cluster.url, folder);
  const people = await gather(cluster.url, owner, load);
  // A separate connection for each person.
  const agent = new Agent({ keepAlive: true });
  const call = callerOf(cluster.url, agent);
  const bytes = await jpeg();

  const idle = newRecord();
  for (let n = 0; n < 60; n += 1) await step(call, people[n % people.length] ?? alone(people), bytes, idle, n % 20);
  const thinking = load.thinking * 1000;
  const memories = cluster.processes.map(watchMemory);
  const record = newRecord();
  const start = performance.now();
  const end = start + load.minutes * 60_000;
  await Promise.all(
    people.map(async (person) => {
      await delay(Math.random() * thinking);
      while (performance.now() < end) {
        await step(call, person, bytes, record, Math.floor(Math.random() * 20));
        await delay(Math.random() * 2 * thinking);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const stopped = memories.map((stop) => stop());

  const done = [...record.times.values()].reduce((sum, times) => sum + times.length, 0);
  const mixed = done / seconds;
  console.log(
    `  ${done} requests, ${mixed.toFixed(0)} a second; ${record.comments.size} comments, ${record.photos.size} photos`,
  );
  for (const [kind, times] of record.times) {
    const floor = median(idle.times.get(kind) ?? [0]);
    const sorted = times.toSorted((a, b) => a - b);
    const percentiles = [50, 95, 99].map((percent) => `p${percent} ${percentile(sorted, percent).toFixed(0)} ms`);
    console.log(`  ${kind.padEnd(12)} ${percentiles.join(", ")}  (idle ${floor.toFixed(0)} ms)`);
  }
  for (const [error, times] of record.errors) console.log(`  ${times} x ${error}`);
  judgeMost(
    "errors",
    [...record.errors.values()].reduce((sum, times) => sum + times, 0),
    0,
    "",
  );
  judgeMost("losses", await losses(cluster, call, owner, record), 0, "");
  for (const [kind, times] of record.times) judgeFlat(`median latency of ${kind}`, times, 2);
  for (const [n, samples] of stopped.entries())
    judgeFlat(`memory of process ${n + 1} (${samples.at(-1)?.toFixed(0)} MB)`, samples, 1.2);
  agent.destroy();
  return { mixed, reads: await readsASecond(cluster.url, alone(people)) };
}

/** Compares the last third of the values with the middle one; the first third includes the server's warm-up. */
function judgeFlat(title: string, values: number[], most: number) {
  const third = Math.floor(values.length / 3);
  if (third === 0) return;
  const [middle, last] = [values.slice(third, 2 * third), values.slice(2 * third)].map(median) as [number, number];
  judgeMost(`${title}, last third beside middle`, last / middle, most);
}

/** Measures a process's memory until the returned function is called, which returns all values in MB. */
function watchMemory(child: Child): () => number[] {
  const samples: number[] = [];
  const timer = setInterval(async () => {
    const memory = await memoryOf(child);
    if (memory) samples.push(memory.now);
  }, LOOKING_MS);
  return () => {
    clearInterval(timer);
    return samples;
  };
}

/** Runs `work` for each item, some in parallel; resolves to the results in order. */
async function each<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()].values();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

const alone = (people: Person[]) => people[0] as Person;
const newRecord = (): Ledger => ({ times: new Map(), errors: new Map(), comments: new Set(), photos: new Map() });

/** Creates accounts with a memory each, and guests of the owner's memory. */
async function gather(url: string, owner: Owner, { people, guests }: Load): Promise<Person[]> {
  const apikey = owner.publishableKey;
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply.json() as Promise<Record<string, never>>;
  };
  const { client, memoryId } = owner;
  const { data } = await client.from("memories").select("share_id").eq("id", memoryId).single().throwOnError();
  await client.from("memories").update({ draft: false }).eq("id", memoryId).throwOnError();
  await client.from("share_links").update({ shared_at: "now" }).eq("memory_id", memoryId).throwOnError();
  const join = async (address: string): Promise<Person> => {
    const account = { email: `${randomUUID()}@example.com`, password: `a good password ${randomUUID()}` };
    const { access_token } = await post("/auth/v1/signup", account);
    const headers = { apikey, authorization: `Bearer ${access_token}` };
    const id = randomUUID();
    await post(
      "/rest/v1/memories?select=id",
      { id, person_name: "Rosa" },
      { ...headers, prefer: "return=representation" },
    );
    return { address, headers, memoryId: id, isGuest: false };
  };
  const visit = async (address: string): Promise<Person> => {
    const { token } = await post("/functions/v1/open-share", { shareId: data.share_id });
    return { address, headers: { apikey, authorization: `Bearer ${token}` }, memoryId, isGuest: true };
  };
  const coming = [...Array(people).fill(join), ...Array(guests).fill(visit)];
  // Households of four: the server shares its capacity among addresses, so people with one address would queue.
  return each([...coming.entries()], ([n, come]) => come(`127.1.${n >> 10}.${(n >> 2) & 255}`));
}

type Calling = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer | string,
  localAddress?: string,
) => Promise<{ status: number; body: Buffer }>;

const callerOf =
  (base: string, agent: Agent): Calling =>
  (method, path, headers, body, localAddress) =>
    new Promise((resolve, reject) => {
      const sending = request(`${base}${path}`, {
        method,
        agent,
        ...(localAddress && { localAddress }),
        headers: { ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
      });
      sending.once("error", reject);
      sending.once("response", (reply) => {
        const parts: Buffer[] = [];
        reply.on("data", (part: Buffer) => parts.push(part));
        reply.once("error", reject);
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(parts) }));
      });
      sending.end(body);
    });

/** One action of a person; guests only read. `choice` is one of twenty. */
async function step(
  send: Calling,
  { address, headers, memoryId, isGuest }: Person,
  picture: Buffer,
  record: Ledger,
  choice: number,
) {
  const json = { ...headers, "content-type": "application/json" };
  const call: Calling = (method, path, requestBody, body) => send(method, path, requestBody, body, address);
  const timed = async (kind: string, work: () => ReturnType<Calling>) => {
    const start = performance.now();
    const reply = await work().catch((error: Error) => ({ status: 0, body: Buffer.from(error.message) }));
    const took = performance.now() - start;
    if (reply.status < 200 || reply.status >= 300) {
      const line = `${kind}: ${reply.status} ${reply.body.toString().slice(0, 120)}`;
      record.errors.set(line, (record.errors.get(line) ?? 0) + 1);
      return false;
    }
    const times = record.times.get(kind) ?? [];
    times.push(took);
    record.times.set(kind, times);
    return true;
  };
  if (isGuest || choice < 10)
    return timed("read", () =>
      call("GET", `/rest/v1/media?select=id,object_name&memory_id=eq.${memoryId}&limit=50`, headers),
    );
  if (choice < 14)
    return timed("list", () =>
      call("GET", "/rest/v1/memories?select=id,person_name&order=created_at.desc&limit=20", headers),
    );
  if (choice < 18) {
    const id = randomUUID();
    const body = JSON.stringify({ id, memory_id: memoryId, body: "She always sang at table." });
    if (await timed("comment", () => call("POST", "/rest/v1/comments", json, body))) record.comments.add(id);
    return;
  }
  const bytes = Buffer.concat([picture, randomBytes(40_000)]);
  const name = `${memoryId}/${randomUUID()}.jpg`;
  const upload = () =>
    call("POST", `/storage/v1/object/media/${name}`, { ...headers, "content-type": "image/jpeg" }, bytes);
  if (await timed("upload", upload)) record.photos.set(name, hashOf(bytes));
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** The amount of acknowledged data that is missing. */
async function losses(
  { databaseUrl }: Cluster,
  call: Calling,
  { service }: Owner,
  { comments, photos }: Ledger,
): Promise<number> {
  const db = await openPostgres(databaseUrl);
  const { rows } = await db.query<{ n: number }>("select count(*)::int as n from comments where id = any ($1)", [
    [...comments],
  ]);
  await db.close();
  const lost = comments.size - (rows[0]?.n ?? 0);
  const names = [...photos.keys()];
  const batches = Array.from({ length: Math.ceil(names.length / SIGNED) }, (_, n) =>
    names.slice(n * SIGNED, (n + 1) * SIGNED),
  );
  const missing = await each(batches, async (batch) => {
    const { data } = await service.storage.from("media").createSignedUrls(batch, 600);
    let bytes = 0;
    for (const { path, signedUrl } of data ?? []) {
      const url = new URL(signedUrl ?? "http://nowhere");
      const { body } = await call("GET", url.pathname + url.search, {});
      if (hashOf(body) === photos.get(path ?? "")) bytes += 1;
    }
    return batch.length - bytes;
  });
  return missing.reduce((sum, photosOfBatch) => sum + photosOfBatch, lost);
}

async function readsASecond(url: string, { headers }: Person): Promise<number> {
  const client = startClient();
  try {
    const read = { method: "GET", url: `${url}/rest/v1/memories?select=id,person_name&limit=20`, headers };
    const calls = Array.from({ length: READS }, () => read);
    await client.run({ calls, clients: CLIENTS });
    const ms = await client.run({ calls, clients: CLIENTS });
    return (READS * 1000) / ms;
  } finally {
    await client.end();
  }
}
