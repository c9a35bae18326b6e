import { writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../server/database/database.ts";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { appReads, exportedReads, readOnce } from "../support/app-reads.ts";
import { costOfRun, type StatementCost } from "../support/cost-of-jobs.ts";
import { type Cost, openExplainer, type ReadRequest, watchedClient } from "../support/cost-of-requests.ts";
import { testDatabase, vacuumed, withoutTimeLimits } from "../support/database.ts";
import { testInbox } from "../support/inbox.ts";
import { runOnce } from "../support/jobs.ts";
import { sized } from "../support/long-tests.ts";
import { addMemoriesOfOthers, type OwnerSize, ownerOfSize, type SizedOwner } from "../support/owner-of-size.ts";
import { testServer } from "../support/server.ts";

const root = new URL("../..", import.meta.url).pathname;
const SMALL: OwnerSize = { memories: 10, media: 100, others: 10 };
const HEAVY: OwnerSize = {
  memories: sized(200, 500),
  media: sized(6000, 30_000),
  others: sized(200, 500),
};
/** Other people, and their memories. */
const STRANGERS = [sized(1000, 3000), sized(5000, 20_000)] as const;

/** How much more pages a read may touch for a heavy owner than for a small one, for the same number of rows. */
const MOST = 1.5;
/** The same for responses of a thousand rows beside ten. */
const MOST_FOR_LONG = 3;
const LONG_ROWS = 500;
/** Pages by which any two reads may differ, as by the counts of rows that an index holds. */
const SLACK = 8;

/** Five notices to one person. */
const NEW_NOTICES = `
  insert into notices (user_id, memory_id, kind) select $1, $2, 'comment' from generate_series(1, 5)`;

/** Queries that read no rows, that staff or visitors without an account make, or whose read another query makes, too. */
const WITHOUT_OWNER =
  /^(lib\/qr|media\/downloads|features\/(admin|blog|account\/(account|link))\/?|data\/catalogue|features\/cards\/scan)/;
const ELSEWHERE = [
  "data/media/mediaUrlsQuery",
  "data/stories/storyMediaUrlsQuery",
  "data/link-secret/secretQuery",
  "data/link-secret/secretsQuery",
  // Orders and cards by their owner, as `ordersQuery` and `cardsQuery`; the rest are calls of the account's service.
  "features/account/profile/profile/deletionLossesQuery",
  "features/account/profile/profile/devicesQuery",
  "features/account/profile/profile/emailSettingsQuery",
  "features/account/profile/profile/profileQuery",
];

const server = await testServer({}, undefined, { db: withoutTimeLimits(await testDatabase()) });
const { db } = server;
const inbox = await testInbox();
let small: SizedOwner;
let heavy: SizedOwner;
let smallInstallation: Map<string, StatementCost>;
let heavyInstallation: Map<string, StatementCost>;

beforeAll(async () => {
  small = await ownerOfSize(server, "Small", SMALL);
  smallInstallation = await costsOfJobs(small);
  heavy = await ownerOfSize(server, "Heavy", HEAVY);
  await addMemoriesOfOthers(db, ...STRANGERS);
  heavyInstallation = await costsOfJobs(heavy);
});

const jobsOf = (database: Database) =>
  jobsFor({ ...server, db: database, gateways: inbox.gateways, site: server.url, log: console });

/** The costs of the statements of every job, for the same work: `job: statement`. */
async function costsOfJobs(owner: SizedOwner): Promise<Map<string, StatementCost>> {
  // What the rows of an owner leave to do is done before, also by jobs that have run lately.
  await db.query("delete from private.job_leases");
  for (const job of jobsOf(db)) await runOnce(job);
  await db.query("delete from private.job_leases");
  await vacuumed(db);
  await db.query(NEW_NOTICES, [owner.userId, owner.memoryId]);
  const costs = new Map<string, StatementCost>();
  for (const { name } of jobsOf(db)) {
    const run = await costOfRun(db, (database) => {
      const job = jobsOf(database).find((candidate) => candidate.name === name);
      if (!job) throw new Error(`There is no job ${name}`);
      return job;
    });
    for (const [text, cost] of run) costs.set(`${name}: ${text.replace(/\s+/g, " ").trim()}`, cost);
  }
  return costs;
}

/** The costs of an owner's reads by the name of their query, in the order of its requests. */
async function costsOf(owner: SizedOwner): Promise<Map<string, { cost: Cost; read: ReadRequest }[]>> {
  const explain = await openExplainer(server, owner.caller);
  const { client, reads } = watchedClient(server, owner.token);
  const costs = new Map<string, { cost: Cost; read: ReadRequest }[]>();
  for (const [name, query] of Object.entries(await appReads(server, client as never, owner))) {
    reads.length = 0;
    await readOnce(query());
    const explained = [];
    for (const read of reads) explained.push({ cost: await explain(read), read });
    costs.set(name, explained);
  }
  return costs;
}

/** How much more a read costs for the heavy owner, for the same number of rows. */
const growth = (few: Cost, many: Cost) =>
  Math.max(0, many.pages - SLACK) / (Math.max(1, few.pages) * Math.max(1, many.rows / Math.max(1, few.rows)));

test("every read of the web app is measured", async () => {
  const exported = exportedReads(root).filter((name) => !WITHOUT_OWNER.test(name) && !ELSEWHERE.includes(name));
  const measured = Object.keys(await appReads(server, server.client() as never, small));
  expect(exported.sort()).toEqual(measured.sort());
});

test("every job finds its work without reading what there is", () => {
  const faults: string[] = [];
  for (const { read, small, heavy, growth } of jobTable()) {
    if (growth > MOST) {
      faults.push(`${read}: ${heavy.pages} pages, beside ${small.pages}: ${growth.toFixed(1)}`);
    }
  }
  expect(faults).toEqual([]);
  const statements = [...heavyInstallation.keys()].filter((statement) => statement.startsWith("notices: "));
  expect(statements.length).toBeGreaterThan(4);
});

/** The costs of the jobs' statements, whose work is the same. */
const jobTable = () =>
  [...heavyInstallation].map(([read, cost]) => {
    const few = { ...(smallInstallation.get(read) ?? { pages: 0, ms: 0 }), rows: 0, wholly: [] };
    const many = { ...cost, rows: 0, wholly: [] };
    return { read, small: few, heavy: many, growth: growth(few, many) };
  });

/** How often reads are measured before one that grows is a fault. Tests that create tables empty the caches meanwhile. */
const MEASUREMENTS = 3;

/** The costs of all reads for both owners, and those that grow. */
async function readTable() {
  const [few, many] = [await costsOf(small), await costsOf(heavy)];
  const faults: string[] = [];
  const table = [];
  for (const [name, requests] of many) {
    for (const [place, { cost, read }] of requests.entries()) {
      const before = few.get(name)?.[place] ?? few.get(name)?.at(-1);
      if (!before) throw new Error(`${name} makes no request for the small owner`);
      const limit = cost.rows >= LONG_ROWS ? MOST_FOR_LONG : MOST;
      const factor = growth(before.cost, cost);
      table.push({ read: `${name} ${place + 1}`, small: before.cost, heavy: cost, growth: factor });
      if (factor > limit) {
        const [a, b] = [before.cost, cost];
        faults.push(
          `${name} (${read.name}): ${b.pages} pages for ${b.rows} rows, beside ${a.pages} for ${a.rows}: ${factor.toFixed(1)}`,
        );
      }
    }
  }
  return { faults, table };
}

test("reads of the web app cost what they return, however much their owner has", async () => {
  let { faults, table } = await readTable();
  for (let again = 1; again < MEASUREMENTS && faults.length > 0; again++) ({ faults, table } = await readTable());
  // For `npm run bench -- scale`.
  if (process.env.GROWTH_TABLE) await writeFile(process.env.GROWTH_TABLE, JSON.stringify([...table, ...jobTable()]));
  expect(faults).toEqual([]);
});
