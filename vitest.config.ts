import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that wait for other processes come first, so that the run does not end with one worker waiting for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => /\/(kill|two-processes)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Files of a worker share what they have imported: loading the server anew for each would take half of the time.
    isolate: false,
    globalSetup: "./tests/support/vitest-global.ts",
    // By default one core is left idle, which of two is half; and much of a test is waiting for a server.
    maxWorkers: 3,
    // Conditions come true at their own pace on a busy machine: these end only what would never come true.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: "unit", include: ["{web,server,shared,scripts}/**/*.test.{ts,tsx}"] } },
      { extends: true, test: { name: "policies", include: ["tests/policies/**/*.test.ts"] } },
      { extends: true, test: { name: "contract", include: ["tests/contract/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "contract-s3",
          include: [
            "tests/contract/storage-{copies,download,pictures,resumable,upload,video}.test.ts",
            "tests/contract/taking-an-account.test.ts",
          ],
          globalSetup: "./tests/support/s3-global.ts",
        },
      },
      // One after the other, because each breaks something; only in long runs.
      { extends: true, test: { name: "drills", include: ["tests/drills/**/*.test.ts"], maxWorkers: 1 } },
      { extends: true, test: { name: "attacks", include: ["tests/attacks/**/*.test.ts"] } },
      // After the others and one after the other: they compare how long something takes.
      {
        extends: true,
        test: { name: "quiet", include: ["tests/quiet/**/*.test.ts"], sequence: { groupOrder: 1 }, maxWorkers: 1 },
      },
    ],
  },
});
