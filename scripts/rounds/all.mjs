import { accessSync, constants } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checks } from "../checks/all.mjs";
import { ensureBuild } from "../setup/build.mjs";
import { run } from "../setup/processes.mjs";
import { root } from "../setup/root.mjs";
import { ensureChromium } from "./browser.mjs";
import { ensurePostgres, startPostgres } from "./postgres.mjs";
import { playwrightTotals, sum, totalsOf, vitestTotals } from "./reports.mjs";

/** @typedef {import("./reports.mjs").Totals} Totals */

const REPORTS = join(root, ".cache/reports");
/** A runner that hangs is ended after this long and has failed. */
const MINUTES = 13;
/** Projects of the test runner. */
const ON_PGLITE = { rules: "rules", policies: "row policies", contract: "the protocol" };

/** The names of what `npm test` does, in order. */
const ROUNDS = /** @type {const} */ (["check", "rules", "policies", "contract", "postgres", "e2e"]);

/** @typedef {typeof ROUNDS[number]} Round */

/**
 * The rounds a command line asks for: all of them, or those of `--only=policies,postgres`.
 * @param {string[]} args
 * @returns {Round[]}
 */
export function readRounds(args) {
  const only = args.flatMap((arg) => arg.match(/^--only=(.+)$/)?.[1]?.split(",") ?? []);
  const unknown = only.filter((name) => !ROUNDS.some((round) => round === name));
  if (unknown.length > 0 || only.length < args.length) {
    console.error(`Usage: npm test -- [--only=round,…]   rounds: ${ROUNDS.join(", ")}`);
    process.exit(2);
  }
  return only.length === 0 ? [...ROUNDS] : ROUNDS.filter((name) => only.includes(name));
}

/**
 * Runs rounds one after the other; one that throws has failed, and the next goes on.
 * @param {Round[]} names
 */
export async function runRounds(names) {
  await rm(REPORTS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  const totals = [];
  installed = installAhead(names);
  for (const { title, run: round } of steps(names)) {
    console.log(`\n── ${title}`);
    totals.push(
      await round().catch((/** @type {Error} */ error) => {
        console.error(error.message);
        return { passed: 0, failed: 1, skipped: 0 };
      }),
    );
  }
  console.log("");
  return sum(totals);
}

/**
 * What is run for these rounds. Those on PGlite are one run of their runner: while the last file of one is still going,
 * the others' go on.
 * @param {Round[]} names
 * @returns {{ title: string; run: () => Promise<Totals> }[]}
 */
function steps(names) {
  const projects = names.filter((name) => name in ON_PGLITE);
  const titles = projects.map((name) => ON_PGLITE[/** @type {keyof typeof ON_PGLITE} */ (name)]);
  const known = [
    {
      wanted: names.includes("check"),
      title: "Style, types and rules of the house",
      run: async () => ({ skipped: 0, ...(await checks()) }),
    },
    {
      wanted: projects.length > 0,
      title: `On PGlite: ${titles.join(", ")}`,
      run: () => vitest("pglite", projects),
    },
    {
      wanted: names.includes("postgres"),
      title: "On PostgreSQL: row policies, the protocol",
      run: onPostgres,
    },
    { wanted: names.includes("e2e"), title: "In the browser", run: inTheBrowser },
  ];
  return known.filter(({ wanted }) => wanted);
}

/**
 * @param {string} name
 * @param {string[]} projects
 * @param {NodeJS.ProcessEnv} [environment]
 */
async function vitest(name, projects, environment = {}) {
  const report = join(REPORTS, `${name}.json`);
  const { code } = await run(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    { env: { ...environmentOfTests(), TEST_DATABASE_URL: "", ...environment }, minutes: MINUTES },
  );
  return totalsOf(report, code, vitestTotals);
}

/**
 * What of Debian's packages the later rounds need: it comes from the network while the first ones keep the processor
 * busy. One after the other, since its tool works for one at a time; what goes wrong is told by the round that needs it.
 * @param {Round[]} names
 */
async function installAhead(names) {
  if (names.includes("e2e")) await ensureChromium().catch(() => {});
  if (names.includes("postgres") && !process.env.TEST_DATABASE_URL) await ensurePostgres().catch(() => {});
}
let installed = Promise.resolve();

/** @returns {Promise<Totals>} */
async function onPostgres() {
  await installed;
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, close: async () => {} }
    : await startPostgres().catch((/** @type {Error} */ error) => {
        console.error(`Skipped: no PostgreSQL to test on. ${error.message}`);
        return undefined;
      });
  if (!server) return { passed: 0, failed: 0, skipped: 1 };
  try {
    return await vitest("postgres", ["policies", "contract"], { TEST_DATABASE_URL: server.url });
  } finally {
    await server.close();
  }
}

async function inTheBrowser() {
  await ensureBuild();
  await installed;
  const chromium = await ensureChromium();
  const report = join(REPORTS, "e2e.json");
  const { code } = await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "test"], {
    env: { ...environmentOfTests(), CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    minutes: MINUTES,
  });
  return totalsOf(report, code, playwrightTotals);
}

/** The environment without the settings of a server that someone may have set for themselves, and with a usable home. */
function environmentOfTests() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(PORT|HOST|PUBLIC_URL|DATA_DIR|DATABASE_URL|SECRET_KEY|LOG_LEVEL|NODE_ENV|FORCE_COLOR)$/.test(name),
  );
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  return { ...Object.fromEntries(own), ...colour, HOME: usableHome() };
}

function usableHome() {
  try {
    accessSync(process.env.HOME ?? "", constants.W_OK);
    return process.env.HOME;
  } catch {
    return join(root, ".cache");
  }
}
