import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { root } from "../setup/root.mjs";

/**
 * The results of a suite.
 * @typedef {{ passed: number, failed: number, skipped: number }} Totals
 */

/**
 * @param {Totals[]} suites
 * @returns {Totals}
 */
export const sum = (suites) =>
  suites.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/**
 * The totals of a runner's report. A runner that failed without a failed test, or without a report, counts as one
 * failure.
 * @param {string} file
 * @param {number | null} exitCode
 * @param {(report: any) => Totals} read
 * @returns {Promise<Totals>}
 */
export async function totalsOf(file, exitCode, read) {
  let totals = { passed: 0, failed: 0, skipped: 0 };
  try {
    totals = read(JSON.parse(await readFile(file, "utf8")));
  } catch {
    console.error(`The runner left no report (it ended with ${exitCode}).`);
    return { ...totals, failed: 1 };
  }
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

/**
 * Vitest: a file that could not be loaded has no tests, but counts as failed.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 */
export function vitestTotals(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Playwright: a test that passes only on a retry counts as failed.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} report
 */
export const playwrightTotals = ({ stats }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

/** The number of slowest files to print. */
const SLOWEST = 15;

/**
 * Prints the slowest files of a report.
 * @param {string} file
 * @param {(report: any) => Map<string, number>} read seconds by file
 */
export async function printSlowest(file, read) {
  const seconds = await readFile(file, "utf8").then(
    (text) => read(JSON.parse(text)),
    () => new Map(),
  );
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log("\nSeconds by file, the slowest first");
  for (const [name, took] of slowest) console.log(`${took.toFixed(1).padStart(8)}  ${name}`);
}

/** @param {{ testResults: { name: string, startTime: number, endTime: number }[] }} report */
export const vitestSeconds = ({ testResults }) =>
  new Map(testResults.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]));
