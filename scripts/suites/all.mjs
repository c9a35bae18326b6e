import { accessSync, constants } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checks } from "../checks/all.mjs";
import { ensureBuild } from "../setup/build.mjs";
import { ensureCeph } from "../setup/ceph.mjs";
import { ensureFfmpeg } from "../setup/ffmpeg.mjs";
import { run } from "../setup/processes.mjs";
import { root } from "../setup/root.mjs";
import { ensureAge, ensureFaketime, ensureNginx, ensurePgbouncer, ensurePromtool } from "../setup/test-programs.mjs";
import { ensureChromium } from "./browser.mjs";
import { ensureEngines } from "./engines.mjs";
import { failure, playwrightTotals, printSlowest, sum, totalsOf, vitestSeconds, vitestTotals } from "./reports.mjs";

/** @typedef {import("./reports.mjs").Totals} Totals */

const REPORTS = join(root, ".cache/reports");
/** Whether tests run in full size: `npm run test:long`. */
const LONG = process.env.LONG_TESTS === "1";
/** The timeout of a suite, which ends only a suite that hangs: a slow machine is no failure. */
const MINUTES = LONG ? 720 : 180;
/** The suites without a browser: what they test, and their folders. */
const VITEST = {
  unit: { title: "units", folders: ["web/", "server/", "shared/", "scripts/"] },
  policies: { title: "row policies", folders: ["tests/policies/"] },
  contract: { title: "the protocol", folders: ["tests/contract/"] },
  attacks: { title: "attacks", folders: ["tests/attacks/"] },
  quiet: { title: "who waits for whom", folders: ["tests/quiet/"] },
};

/**
 * The tests in the browser that `npm test` runs: the journeys, those of rows of the specification, and a quick one of
 * each other file that has one. All would take half an hour.
 */
const SAMPLE = "Spec §|journeys/|@sample";

/** The suites of `npm test` in order. */
const SUITES = /** @type {const} */ (["check", "unit", "policies", "contract", "attacks", "quiet", "e2e"]);

/** @typedef {typeof SUITES[number]} Suite */

/**
 * What to run: suites in their order, and the part of their files, e.g. `1/2` for the first of two machines. `isWhole`:
 * not only a sample of the tests in the browser.
 * @typedef {{ suites: Suite[], shard: string | undefined, isWhole: boolean }} Choice
 */

/**
 * The choice of a command line: everything, the suites of `--only=policies,e2e`, or a part of the files, `--shard=1/2`.
 * @param {string[]} args
 * @returns {Choice}
 */
export function readChoice(args) {
  const only = args.flatMap((arg) => arg.match(/^--only=(.+)$/)?.[1]?.split(",") ?? []);
  const shard = args.map((arg) => arg.match(/^--shard=(\d+\/\d+)$/)?.[1]).find((part) => part !== undefined);
  const isPart = (/** @type {string} */ name) => SUITES.some((suite) => suite === name);
  const understood = args.every((arg) => /^--(only=.|shard=\d+\/\d+$)/.test(arg));
  const [part = 1, parts = 1] = shard?.split("/").map(Number) ?? [];
  if (!understood || !only.every(isPart) || part < 1 || part > parts) {
    console.error(`Usage: npm test -- [--only=suite,…] [--shard=1/2]   suites: ${SUITES.join(", ")}`);
    process.exit(2);
  }
  return {
    suites: only.length === 0 ? [...SUITES] : SUITES.filter((name) => only.includes(name)),
    shard,
    isWhole: LONG || only.length > 0,
  };
}

/**
 * Runs suites one after the other; a suite that throws has failed. The checks have no files to divide: the first part
 * runs them.
 * @param {Choice} choice
 */
export async function runSuites({ suites, shard, isWhole }) {
  const names = suites.filter((name) => name !== "check" || !shard || shard.startsWith("1/"));
  await rm(REPORTS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  const totals = [];
  installed = installAhead(names);
  for (const { title, run: suite } of steps({ suites: names, shard, isWhole })) {
    console.log(`\n── ${title}`);
    totals.push(
      await suite().catch((/** @type {Error} */ error) => {
        console.error(error.message);
        return failure(`${title}: ${error.message}`);
      }),
    );
  }
  console.log("");
  return sum(totals);
}

/**
 * The steps of these suites. Suites of the same test runner are one step, so that their files run in parallel.
 * @param {Choice} choice
 * @returns {{ title: string; run: () => Promise<Totals> }[]}
 */
export function steps({ suites: names, shard, isWhole }) {
  const part = shard ? [`--shard=${shard}`] : [];
  const vitestNames = names.filter((name) => name in VITEST);
  const vitestSuites = vitestNames.map((name) => VITEST[/** @type {keyof typeof VITEST} */ (name)]);
  const possible = [
    {
      isSelected: names.includes("check"),
      title: "Style, types and rules of the house",
      run: async () => ({ skipped: 0, ...(await checks()) }),
    },
    {
      isSelected: vitestSuites.length > 0,
      title: `Without a browser: ${vitestSuites.map(({ title }) => title).join(", ")}`,
      run: () =>
        vitest(
          vitestSuites.flatMap(({ folders }) => folders),
          part,
        ),
    },
    {
      isSelected: names.includes("e2e"),
      title: "In the browser",
      run: () => inTheBrowser([...part, ...(isWhole ? [] : ["--grep", SAMPLE])]),
    },
  ];
  return possible.filter(({ isSelected }) => isSelected);
}

/**
 * @param {string[]} folders
 * @param {string[]} part
 */
async function vitest(folders, part) {
  const report = join(REPORTS, "vitest.json");
  await installed;
  const FFMPEG_PATH = await ensureFfmpeg();
  // In long runs, the storage's tests run again on object storage, and the drills run too.
  const drills = LONG && folders.includes("tests/contract/");
  const projects = ["tests", "quiet", ...(drills ? ["contract-s3", "drills"] : [])];
  const { code } = await run(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      ...[...folders, ...(drills ? ["tests/drills/"] : [])].map((folder) => join(root, folder)),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...part,
    ],
    { env: { ...environmentOfTests(), FFMPEG_PATH }, minutes: MINUTES },
  );
  const totals = await totalsOf(report, code, vitestTotals);
  await printSlowest(report, vitestSeconds);
  return totals;
}

/**
 * Installs the Debian packages of later suites in advance, because the network is idle during the first ones. The suite
 * that needs a package reports a failure.
 * @param {Suite[]} names
 */
async function installAhead(names) {
  await ensureFfmpeg().catch(() => {});
  if (names.includes("contract"))
    for (const ensure of [
      ensurePgbouncer,
      ensureCeph,
      ensureNginx,
      ensureAge,
      ensurePromtool,
      ...(LONG ? [ensureFaketime] : []),
    ])
      await ensure().catch(() => {});
  if (names.includes("e2e")) for (const ensure of [ensureChromium, ensureEngines]) await ensure().catch(() => {});
}
let installed = Promise.resolve();

/** @param {string[]} options of the runner */
async function inTheBrowser(options) {
  await ensureBuild();
  await installed;
  const chromium = await ensureChromium();
  const missing = await ensureEngines().catch((/** @type {Error} */ error) => [error.message]);
  for (const reason of missing) console.log(`Skipped: ${reason}`);
  const FFMPEG_PATH = await ensureFfmpeg();
  const report = join(REPORTS, "e2e.json");
  const { code } = await run(
    process.execPath,
    [join(root, "node_modules/@playwright/test/cli.js"), "test", ...options],
    {
      env: { ...environmentOfTests(), CHROMIUM_PATH: chromium, FFMPEG_PATH, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      minutes: MINUTES,
    },
  );
  const totals = await totalsOf(report, code, playwrightTotals);
  return { ...totals, skipped: totals.skipped + missing.length };
}

/** The environment without settings of a server, and with a writable home. */
function environmentOfTests() {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(PORT|HOST|PUBLIC_URL|DATA_DIR|DATABASE_URL|DATABASE_DIRECT_URL|DATABASE_READ_URL|WORKERS|SECRET_KEY|LOG_LEVEL|NODE_ENV|FORCE_COLOR|OTEL_\w+)$/.test(
        name,
      ),
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
