import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../scripts/setup/free-port.mjs";
import type { Database } from "../../server/database/database.ts";
import { openSecrets } from "../../server/settings/secrets.ts";
import { openTokens } from "../../server/supabase/tokens.ts";
import { appReads, readOnce } from "../../tests/support/app-reads.ts";
import { ownerOfSize } from "../../tests/support/owner-of-size.ts";
import { environmentOf, PROGRAM, reasonWithoutPostgrest } from "../../tests/support/postgrest/program.ts";
import { recordingClient } from "../../tests/support/recording-client.ts";
import { judgeMost, median, percentile, roundsWithin } from "../measure.ts";
import type { Call } from "../media/client-process.ts";
import { asChild, type Child, cpuOf, type startClient } from "../processes.ts";

const SIZE = { memories: 50, media: 1000, others: 50 };
const ROUNDS = 7;
/** The time in seconds beyond which a busy machine measures fewer rounds. */
const SECONDS = 120;
/** How often a round is tried in which a request fails, as it may time out on a busy machine. */
const TRIES = 3;
/** How often a round repeats all reads. */
const REPEATS = 6;

interface Deps {
  db: Database;
  databaseUrl: string;
  dataDir: string;
  product: Child & { url: string };
  client: ReturnType<typeof startClient>;
  /** Registers a process to end. */
  started<One extends Child>(child: One): One;
}

/** Measures the reads of the web app beside PostgREST on the same database: processor time, and latency of 64 clients. */
export async function besidePostgrest({ db, databaseUrl, dataDir, product, client, started }: Deps) {
  console.log("\nReads of the web app beside PostgREST");
  if (reasonWithoutPostgrest) return console.log(`  skipped: ${reasonWithoutPostgrest}`);
  const secrets = await openSecrets({ dataDir });
  const tokens = await openTokens(db, {
    secret: secrets.sealing,
    issuer: `${product.url.replace("127.0.0.1", "localhost")}/auth/v1`,
  });
  const sign = (claims: Record<string, unknown>) => tokens.sign(claims as never, 3600);
  const owner = await ownerOfSize({ db, sign: sign as never }, "Bench", SIZE);
  await db.exec("vacuum analyze");
  const keys = { publishable: secrets.publishableKey, secret: secrets.secretKey };
  const reads = await readsOf({ url: product.url, keys }, owner);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const jwks = await (await fetch(`${product.url}/auth/v1/.well-known/jwks.json`)).text();
  const environment = {
    ...environmentOf({ url: databaseUrl, jwks, maxRows: 1000 }),
    // On a busy machine, 64 clients wait longer for ten connections than its usual ten seconds.
    PGRST_DB_POOL_ACQUISITION_TIMEOUT: "60",
  };
  const child = spawn(PROGRAM, [], {
    env: { ...environment, PGRST_SERVER_HOST: "127.0.0.1", PGRST_SERVER_PORT: `${port}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const postgrest = started(asChild(child));
  const isReady = async () => (await fetch(url).catch(() => undefined))?.status === 200;
  while (!(await isReady())) await pause(50);

  const servers = {
    product: { process: product, calls: reads },
    postgrest: {
      process: postgrest,
      calls: reads.map((call) => ({ ...call, url: call.url.replace(`${product.url}/rest/v1`, url) })),
    },
  };
  const cpu: Record<string, number[]> = { product: [], postgrest: [] };
  const p95: Record<string, number[]> = { product: [], postgrest: [] };
  const measured = async (
    { process, calls }: { process: Child; calls: Call[] },
    tries = TRIES,
  ): Promise<{ perRead?: number; latencies: number[] }> => {
    const before = await cpuOf(process);
    try {
      const run = { calls: Array.from({ length: REPEATS }, () => calls).flat(), clients: 64 };
      const { latencies } = await client.measure(run);
      const after = await cpuOf(process);
      if (before === undefined || after === undefined) return { latencies };
      return { perRead: (after - before) / latencies.length, latencies };
    } catch (error) {
      if (tries <= 1) throw error;
      console.log(`  once more, because a request failed: ${(error as Error).message}`);
      return measured({ process, calls }, tries - 1);
    }
  };
  for (const round of roundsWithin(ROUNDS, SECONDS)) {
    for (const [name, server] of Object.entries(servers)) {
      const { perRead, latencies } = await measured(server);
      if (perRead === undefined) return console.log("  skipped: /proc has the processor times");
      // The first round fills caches.
      if (round === 0) continue;
      cpu[name]?.push(perRead);
      p95[name]?.push(percentile(latencies, 95));
    }
  }
  const ratio = (of: Record<string, number[]>) => median(of.product ?? []) / median(of.postgrest ?? []);
  const [own, their] = [median(cpu.product ?? []), median(cpu.postgrest ?? [])];
  console.log(`  ${reads.length} reads; processor time of one: ${own.toFixed(2)} ms, PostgREST ${their.toFixed(2)} ms`);
  judgeMost("processor time of a read", ratio(cpu), 1);
  judgeMost("64 clients, p95", ratio(p95), 0.7);
}

/** The requests to `rest/v1` by which the web app reads what an owner has. */
async function readsOf(
  server: { url: string; keys: { publishable: string; secret: string } },
  owner: Awaited<ReturnType<typeof ownerOfSize>>,
): Promise<Call[]> {
  const calls: Call[] = [];
  const client = recordingClient(server, owner.token, ({ method, url, headers, body }) =>
    calls.push({ method, url: url.href, headers, ...(body !== undefined && { text: body }) }),
  );
  for (const query of Object.values(await appReads(server, client as never, owner))) await readOnce(query());
  return calls;
}
