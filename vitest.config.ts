import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take a minute or more, most of it in other processes. */
const LONG =
  /\/(two-processes|backup|backup-and-move-s3|live-photos|prepared-videos|fuzz|video-matrix|kill)\.test\.ts$/;

/** Runs long files first, so that the run does not end with one worker waiting for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A worker's test files share imported modules. Loading the server for each file would take half of the time.
    isolate: false,
    globalSetup: "./tests/support/vitest-global.ts",
    // The default leaves one core idle, which is half of two. Also, tests mostly wait for a server.
    maxWorkers: 3,
    // Long, because a busy machine is slow: these timeouts must end only tests whose condition never becomes true.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    projects: [
      // One project, because a worker loads the server again for each.
      {
        extends: true,
        test: {
          name: "tests",
          include: ["{web,server,shared,scripts}/**/*.test.{ts,tsx}", "tests/{policies,contract,attacks}/**/*.test.ts"],
        },
      },
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
      // In sequence, because each drill breaks something. Only part of long runs.
      { extends: true, test: { name: "drills", include: ["tests/drills/**/*.test.ts"], maxWorkers: 1 } },
      // After all others and in sequence, because these tests measure durations.
      {
        extends: true,
        test: { name: "quiet", include: ["tests/quiet/**/*.test.ts"], sequence: { groupOrder: 1 }, maxWorkers: 1 },
      },
    ],
  },
});
