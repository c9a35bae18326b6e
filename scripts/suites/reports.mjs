import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { root } from "../setup/root.mjs";

/**
 * The results of a suite. A failure is a test's file, title and reason.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Totals
 */

/** The lines of a failure's reason that are repeated at the end. */
const LINES = 15;

/**
 * @param {Totals[]} suites
 * @returns {Totals}
 */
export const sum = (suites) =>
  suites.reduce(
    (total, { passed, failed, skipped, failures }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
      failures: [...total.failures, ...failures],
    }),
    failure(),
  );

/**
 * The totals of what failed before it could report, or of nothing.
 * @param {string} [reason]
 * @returns {Totals}
 */
export const failure = (reason) => ({
  passed: 0,
  failed: reason === undefined ? 0 : 1,
  skipped: 0,
  failures: reason === undefined ? [] : [reason],
});

/**
 * The totals of a runner's report. A runner that failed without a failed test, or without a report, counts as one
 * failure.
 * @param {string} file
 * @param {number | null} exitCode
 * @param {(report: any) => Totals} read
 * @returns {Promise<Totals>}
 */
export async function totalsOf(file, exitCode, read) {
  let totals;
  try {
    totals = read(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return failure(`The runner left no report (it ended with ${exitCode}).`);
  }
  return exitCode !== 0 && totals.failed === 0
    ? sum([totals, failure(`The runner ended with ${exitCode}, although no test failed.`)])
    : totals;
}

/**
 * Vitest: a file that could not be loaded has no tests, but counts as failed.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { name: string, status: string, message: string, assertionResults: { status: string,
 *   fullName: string, failureMessages: string[] | null }[] }[] }} report
 * @returns {Totals}
 */
export function vitestTotals(report) {
  const failures = report.testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      return tests.length === 0
        ? [described(relative(root, name), [message])]
        : tests.map((test) => described(`${relative(root, name)} › ${test.fullName}`, test.failureMessages ?? []));
    });
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/**
 * Playwright: a test that passes only on a retry counts as failed.
 * @typedef {{ title: string, specs: { file: string, title: string, tests: { status: string,
 *   results: { errors: { message?: string }[] }[] }[] }[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   suites: PlaywrightSuite[] }} report
 * @returns {Totals}
 */
export const playwrightTotals = ({ stats, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
  failures: suites.flatMap(playwrightFailures),
});

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function playwrightFailures({ specs, suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) =>
        described(
          `${file} › ${title}`,
          results.flatMap(({ errors }) => errors.map(({ message }) => message ?? "")),
        ),
      ),
  );
  return [...own, ...suites.flatMap(playwrightFailures)];
}

/**
 * @param {string} name
 * @param {string[]} reasons
 */
const described = (name, reasons) =>
  [name, ...reasons.join("\n").split("\n").slice(0, LINES)].map((line) => line.trimEnd()).join("\n  ");

/**
 * Prints failures, so that they stand at the end of a long output.
 * @param {string[]} failures
 */
export function printFailures(failures) {
  if (failures.length > 0) console.log("\nFailed");
  for (const text of failures) console.log(`✗ ${text}`);
}

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
