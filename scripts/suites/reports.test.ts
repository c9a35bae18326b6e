import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../setup/root.mjs";
import { playwrightTotals, sum, totalsOf, vitestTotals } from "./reports.mjs";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-reports-"));
});
afterAll(() => rm(folder, { recursive: true }));

const passedTest = { status: "passed", fullName: "a person signs in", failureMessages: [] as string[] };
const failedTest = {
  status: "failed",
  fullName: "a photo is kept",
  failureMessages: ["expected 1 to be 2\n    at here"],
};
const vitestReport = (
  testResults: { name: string; status: string; message: string; assertionResults: (typeof passedTest)[] }[],
) => ({ numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0, testResults });
const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] };

test("a test file that cannot be loaded counts as a failure beside those that are named", () => {
  const report = vitestReport([
    { name: join(root, "a.test.ts"), status: "failed", message: "", assertionResults: [passedTest, failedTest] },
    { name: join(root, "b.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
    { name: join(root, "c.test.ts"), status: "passed", message: "", assertionResults: [passedTest] },
  ]);
  expect(vitestTotals(report)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 1,
    failures: ["a.test.ts › a photo is kept\n  expected 1 to be 2\n      at here", "b.test.ts\n  no such module"],
  });
});

test("a browser test that passes only when repeated is a failure", () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    file: "d.test.ts",
    title,
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const report = {
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [
      {
        title: "d.test.ts",
        specs: [spec("a guest reads", "unexpected", "Timeout"), spec("a guest leaves", "expected")],
        suites: [{ title: "on a phone", specs: [spec("a guest writes", "flaky", "not found")] }],
      },
    ],
  };
  expect(playwrightTotals(report)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 0,
    failures: ["d.test.ts › a guest reads\n  Timeout", "d.test.ts › a guest writes\n  not found"],
  });
});

test("a runner that leaves no report, or half a report, is a failure", async () => {
  const missing = { ...nothing, failed: 1, failures: ["The runner left no report (it ended with 0)."] };
  expect(await totalsOf(join(folder, "none.json"), 0, vitestTotals)).toEqual(missing);
  await writeFile(join(folder, "half.json"), '{"numPassedTests": 3, ');
  expect(await totalsOf(join(folder, "half.json"), 0, vitestTotals)).toEqual(missing);
});

test("a runner that ends badly is a failure even when every test it names has passed", async () => {
  const file = join(folder, "good.json");
  await writeFile(file, JSON.stringify({ ...vitestReport([]), numFailedTests: 0 }));
  const good = { passed: 3, failed: 0, skipped: 1, failures: [] };
  expect(await totalsOf(file, 0, vitestTotals)).toEqual(good);
  for (const code of [1, null])
    expect(await totalsOf(file, code, vitestTotals)).toEqual({
      ...good,
      failed: 1,
      failures: [`The runner ended with ${code}, although no test failed.`],
    });
});

test("suites add up", () => {
  const suites = [
    { passed: 1, failed: 0, skipped: 2, failures: [] },
    { passed: 10, failed: 2, skipped: 0, failures: ["one", "two"] },
  ];
  expect(sum(suites)).toEqual({ passed: 11, failed: 2, skipped: 2, failures: ["one", "two"] });
  expect(sum([])).toEqual(nothing);
});
