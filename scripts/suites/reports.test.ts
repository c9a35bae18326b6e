import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { playwrightTotals, sum, totalsOf, vitestTotals } from "./reports.mjs";

let folder: string;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  folder = await mkdtemp(join(tmpdir(), "skies-reports-"));
});
afterAll(() => rm(folder, { recursive: true }));

const vitestReport = (testResults: { status: string; assertionResults: { status: string }[] }[]) => ({
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults,
});

test("a test file that can not be loaded counts as a failure beside those that are named", () => {
  const report = vitestReport([
    { status: "failed", assertionResults: [{ status: "failed" }] },
    { status: "failed", assertionResults: [] },
    { status: "passed", assertionResults: [{ status: "passed" }] },
  ]);
  expect(vitestTotals(report)).toEqual({ passed: 3, failed: 2, skipped: 1 });
});

test("a browser test that passes only when repeated is a failure", () => {
  const report = { stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 0 } };
  expect(playwrightTotals(report)).toEqual({ passed: 5, failed: 3, skipped: 0 });
});

test("a runner that leaves no report, or half a report, is a failure", async () => {
  expect(await totalsOf(join(folder, "none.json"), 0, vitestTotals)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  await writeFile(join(folder, "half.json"), '{"numPassedTests": 3, ');
  expect(await totalsOf(join(folder, "half.json"), 0, vitestTotals)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a runner that ends badly is a failure even when every test it names has passed", async () => {
  const file = join(folder, "good.json");
  await writeFile(file, JSON.stringify({ ...vitestReport([]), numFailedTests: 0 }));
  expect(await totalsOf(file, 0, vitestTotals)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  expect(await totalsOf(file, 1, vitestTotals)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  expect(await totalsOf(file, null, vitestTotals)).toEqual({ passed: 3, failed: 1, skipped: 1 });
});

test("suites add up", () => {
  const suites = [
    { passed: 1, failed: 0, skipped: 2 },
    { passed: 10, failed: 3, skipped: 0 },
  ];
  expect(sum(suites)).toEqual({ passed: 11, failed: 3, skipped: 2 });
  expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
