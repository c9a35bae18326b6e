import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPostgres } from "../server/database/postgres.ts";
import { jpeg } from "../tests/support/uploads.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { judgeMost, median, percentile } from "./measure.ts";
import { makeOwner, type Owner } from "./media/owner.ts";
import { memoryOf, startClient } from "./processes.ts";
import type { Load } from "./run.ts";

/** Milliseconds that a person looks at what they have, on average. */
const THINKING_MS = 2000;
/** Reads that many clients send without a pause, to see what the machine can do at the most. */
const READS = 800;
const CLIENTS = 32;

interface Person {
  headers: Record<string, string>;
  memoryId: string;
  isGuest: boolean;
}

/** What people did, how long each took, and what the server said is safe. */
interface Ledger {
  times: Map<string, number[]>;
  errors: Map<string, number>;
  comments: Set<string>;
  photos: Map<string, string>;
}

/** People and guests at mixed work, against one process and against three behind the proxy. */
export async function bench(load: Load) {
  const most: number[] = [];
  for (const processes of [1, 3]) {
    const folder = await mkdtemp(join(tmpdir(), "skies-load-"));
    console.log(
      `\n${load.people} people and ${load.guests} guests for ${load.minutes} minutes, ${processes} processes`,
    );
    const cluster = await startCluster(folder, processes, { PASSWORD_HASH_MIB: "8" });
    try {
      most.push(await measure(cluster, folder, load));
    } finally {
      await cluster.end();
      await rm(folder, { recursive: true, force: true });
    }
  }
  const [one = 1, three = 1] = most;
  console.log(
    `\n  reads at the most: three processes do ${(three / one).toFixed(2)} times what one does on this machine`,
  );
}

async function measure(cluster: Cluster, folder: string, load: Load): Promise<number> {
  const owner = await makeOwner(cluster.url, folder);
  const people = await gather(cluster.url, owner, load);
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const call = callerOf(cluster.url, agent);
  const bytes = await jpeg();

  const idle = newRecord();
  for (let n = 0; n < 60; n += 1) await step(call, people[n % people.length] ?? alone(people), bytes, idle, n % 20);
  const before = await Promise.all(cluster.processes.map(memoryOf));
  const record = newRecord();
  const end = performance.now() + load.minutes * 60_000;
  await Promise.all(
    people.map(async (person) => {
      await delay(Math.random() * THINKING_MS);
      while (performance.now() < end) {
        await step(call, person, bytes, record, Math.floor(Math.random() * 20));
        await delay(Math.random() * 2 * THINKING_MS);
      }
    }),
  );
  const after = await Promise.all(cluster.processes.map(memoryOf));

  const done = [...record.times.values()].reduce((sum, times) => sum + times.length, 0);
  console.log(
    `  ${done} requests, ${(done / (load.minutes * 60)).toFixed(0)} a second; ${record.comments.size} comments, ${record.photos.size} photos`,
  );
  for (const [kind, times] of record.times) {
    const floor = median(idle.times.get(kind) ?? [0]);
    const sorted = times.toSorted((a, b) => a - b);
    const ratio = (percent: number) => `${(percentile(sorted, percent) / floor).toFixed(1)} x`;
    console.log(
      `  ${kind.padEnd(12)} beside idle: p50 ${ratio(50)}, p95 ${ratio(95)}, p99 ${ratio(99)}  (idle ${floor.toFixed(1)} ms)`,
    );
  }
  for (const [error, times] of record.errors) console.log(`  ${times} x ${error}`);
  judgeMost(
    "errors",
    [...record.errors.values()].reduce((sum, times) => sum + times, 0),
    0,
    "",
  );
  judgeMost("losses", await losses(cluster, call, owner, record), 0, "");
  for (const [n, memory] of after.entries()) {
    const was = before[n];
    if (memory && was) judgeMost(`memory of process ${n + 1} beside before`, memory.now / was.now, 1.5);
  }
  agent.destroy();
  return readsASecond(cluster.url, alone(people));
}

const alone = (people: Person[]) => people[0] as Person;
const newRecord = (): Ledger => ({ times: new Map(), errors: new Map(), comments: new Set(), photos: new Map() });

/** Accounts with a memory of their own each, and guests of the owner's memory. */
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
  const gathered: Person[] = [];
  for (let n = 0; n < people; n += 1) {
    const account = { email: `${randomUUID()}@example.com`, password: `a good password ${randomUUID()}` };
    const { access_token } = await post("/auth/v1/signup", account);
    const headers = { apikey, authorization: `Bearer ${access_token}` };
    const id = randomUUID();
    await post(
      "/rest/v1/memories?select=id",
      { id, person_name: "Rosa" },
      { ...headers, prefer: "return=representation" },
    );
    gathered.push({ headers, memoryId: id, isGuest: false });
  }
  for (let n = 0; n < guests; n += 1) {
    const { token } = await post("/functions/v1/open-share", { shareId: data.share_id });
    gathered.push({ headers: { apikey, authorization: `Bearer ${token}` }, memoryId, isGuest: true });
  }
  return gathered;
}

type Calling = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer | string,
) => Promise<{ status: number; body: Buffer }>;

const callerOf =
  (base: string, agent: Agent): Calling =>
  (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const asked = request(`${base}${path}`, {
        method,
        agent,
        headers: { ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
      });
      asked.once("error", reject);
      asked.once("response", (reply) => {
        const parts: Buffer[] = [];
        reply.on("data", (part: Buffer) => parts.push(part));
        reply.once("error", reject);
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(parts) }));
      });
      asked.end(body);
    });

/** One thing that a person does; guests look. `choice` is of twenty. */
async function step(
  call: Calling,
  { headers, memoryId, isGuest }: Person,
  picture: Buffer,
  record: Ledger,
  choice: number,
) {
  const json = { ...headers, "content-type": "application/json" };
  const timed = async (kind: string, work: () => ReturnType<Calling>) => {
    const start = performance.now();
    const reply = await work().catch((error: Error) => ({ status: 0, body: Buffer.from(error.message) }));
    const took = performance.now() - start;
    if (reply.status < 200 || reply.status >= 300) {
      const line = `${kind}: ${reply.status} ${reply.body.toString().slice(0, 120)}`;
      record.errors.set(line, (record.errors.get(line) ?? 0) + 1);
      return false;
    }
    record.times.set(kind, [...(record.times.get(kind) ?? []), took]);
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

/** How much of what was acknowledged is not there. */
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
  let lost = comments.size - (rows[0]?.n ?? 0);
  for (const [name, hash] of photos) {
    const { data } = await service.storage.from("media").createSignedUrl(name, 60);
    const url = new URL(data?.signedUrl ?? "http://nowhere");
    const { body } = await call("GET", url.pathname + url.search, {});
    if (hashOf(body) !== hash) lost += 1;
  }
  return lost;
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
