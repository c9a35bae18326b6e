import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import { startEmbeddedPostgres } from "../server/database/embedded/embedded.ts";
import { migrate, migrationSets } from "../server/database/migrate.ts";
import { openPostgres } from "../server/database/postgres.ts";
import { openSecrets } from "../server/settings/secrets.ts";
import { interleave, judge, judgeMost, median, percentile, roundsWithin } from "./measure.ts";
import type { Call } from "./media/client-process.ts";
import { asChild, type Child, root, startClient, startProduct, TSX } from "./processes.ts";
import { besidePostgrest } from "./rest/beside-postgrest.ts";
import { makeMemories, passwordOf } from "./rest/people.ts";

const ROUNDS = 7;
/** The time for each comparison, in seconds, beyond which a busy machine measures fewer rounds. */
const SECONDS = 60;
const READS = 400;
const SIGN_INS = 24;
/** The number of memories of the larger account; the other has one. */
const MANY = 400;

/** Reads and sign-ins of many clients, compared with a minimal handler with the same driver, SQL and hash. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "skies-bench-"));
  const children: Child[] = [];
  const started = <One extends Child>(child: One): One => {
    children.push(child);
    return child;
  };
  const postgres = await startEmbeddedPostgres(join(folder, "database"));
  try {
    const db = await openPostgres(postgres.url);
    await migrate(db, migrationSets(root));
    const product = started(
      await startProduct(folder, { DATABASE_URL: postgres.url, SIGN_IN_LIMIT: "1000000", AUTH_BOT_CHECK: "false" }),
    );
    const floor = started(await startFloor(postgres.url));
    const client = started(startClient());
    const { publishableKey } = await openSecrets({ dataDir: folder });
    const [few, many] = [
      await signUp(product.url, publishableKey, "few"),
      await signUp(product.url, publishableKey, "many"),
    ];
    await makeMemories(db, [
      { id: few.id, memories: 1 },
      { id: many.id, memories: MANY },
    ]);
    const read = (person: Person): Call => ({
      method: "GET",
      url: `${product.url}/rest/v1/memories?select=id,person_name,created_at&order=created_at.desc&limit=20`,
      headers: { authorization: `Bearer ${person.token}`, apikey: publishableKey },
    });
    const bare = (person: Person): Call => ({ method: "GET", url: `${floor.url}/memories/${person.id}` });
    const repeat = (call: Call, times: number) => Array.from({ length: times }, () => call);

    await besidePostgrest({ db, databaseUrl: postgres.url, dataDir: folder, product, client, started });

    console.log("\nReads of 20 of 20,000 memories under row policies, medians of interleaved rounds");
    for (const clients of [8, 64]) {
      const medians = await interleave(
        {
          floor: () => client.run({ calls: repeat(bare(many), READS), clients }),
          product: () => client.run({ calls: repeat(read(many), READS), clients }),
        },
        ROUNDS,
        SECONDS,
      );
      judge(`${clients} clients`, medians, 0.7);
    }
    const spread = await latencies(client, repeat(read(many), READS * 3), 64);
    judgeMost("64 clients, p95 beside p50", percentile(spread, 95) / percentile(spread, 50), 3);
    const byAccount = await interleave(
      {
        one: () => client.run({ calls: repeat(read(few), READS), clients: 8 }),
        many: () => client.run({ calls: repeat(read(many), READS), clients: 8 }),
      },
      ROUNDS,
      SECONDS,
    );
    judgeMost(`an account with ${MANY} memories beside one with 1`, byAccount.many / byAccount.one, 1.3);

    console.log("\nSign-ins by 8 clients, beside the bare hash");
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signUp(product.url, publishableKey, `person-${n}`)),
    );
    const signIns = (times: number) =>
      Array.from({ length: times }, (_, n) =>
        signInCall(product.url, publishableKey, people[n % people.length] ?? many),
      );
    const verify = await verifyCall(floor.url, many);
    judge(
      `${SIGN_INS} sign-ins`,
      await interleave(
        {
          floor: () => client.run({ calls: repeat(verify, SIGN_INS), clients: 8 }),
          product: () => client.run({ calls: signIns(SIGN_INS), clients: 8 }),
        },
        ROUNDS,
        SECONDS,
      ),
      0.85,
    );
    await readDuringSignIns(client, started(startClient()), repeat(read(many), READS), signIns(SIGN_INS * 4));
    await db.close();
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Client = ReturnType<typeof startClient>;

const latencies = async (client: Client, calls: Call[], clients: number) =>
  (await client.measure({ calls, clients })).latencies;

/** The waiting time of reads while eight people sign in repeatedly. */
async function readDuringSignIns(reader: Client, signer: Client, reads: Call[], signIns: Call[]) {
  const ratios: number[] = [];
  for (const _ of roundsWithin(ROUNDS - 1, SECONDS)) {
    const quiet = percentile(await latencies(reader, reads, 1), 95);
    const signing = signer.measure({ calls: signIns, clients: 8 });
    const busy = percentile(await latencies(reader, reads, 1), 95);
    await signing;
    ratios.push(busy / quiet);
  }
  judgeMost("p95 of a read during them, beside without", median(ratios), 3);
}

interface Person {
  id: string;
  email: string;
  password: string;
  token: string;
}

async function signUp(url: string, apikey: string, name: string): Promise<Person> {
  const [email, password] = [`${name}@example.com`, passwordOf(name)];
  const reply = await fetch(`${url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: JSON.stringify({ email, password, data: { full_name: name } }),
  });
  const { access_token, user } = (await reply.json()) as { access_token: string; user: { id: string } };
  return { id: user.id, email, password, token: access_token };
}

const signInCall = (url: string, apikey: string, { email, password }: Person): Call => ({
  method: "POST",
  url: `${url}/auth/v1/token?grant_type=password`,
  headers: { apikey, "content-type": "application/json" },
  text: JSON.stringify({ email, password }),
});

/** The bare hash with the same cost: argon2id, 64 MiB, three passes, four lanes. */
async function verifyCall(url: string, { password }: Person): Promise<Call> {
  const hashed = await hash(password, { algorithm: 2, memoryCost: 64 * 1024, timeCost: 3, parallelism: 4 });
  const text = JSON.stringify({ password, hash: hashed });
  return { method: "POST", url: `${url}/verify`, headers: { "content-type": "application/json" }, text };
}

async function startFloor(databaseUrl: string): Promise<Child & { url: string }> {
  const child = fork(join(root, "bench/rest/floor-process.ts"), [databaseUrl], { execArgv: TSX });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { ...asChild(child), url };
}
