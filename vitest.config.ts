import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What is left out on PostgreSQL, which everything was on PGlite: pictures and videos, other people's wire formats, a
 * process that is killed, and what asks the database for nothing that a file of the other round does not ask as well.
 */
const ANY_DATABASE = [
  "tests/contract/{kill,download,engravers-pack,my-account,realtime-audiences,verify-turnstile}.test.ts",
  "tests/contract/storage-{pictures,copies,video,buckets,download,upload}.test.ts",
  "tests/contract/{video-playback,mail-gateways,mail-sandbox,mail-welcome,send-email,send-email-delivery}.test.ts",
  "tests/contract/{unsubscribe,rest-refusals,realtime-protocol,open-share,share-ended}.test.ts",
  "tests/contract/auth-{captcha,hostile-social,hostile-factors,hostile-links,id-token,web3,identities,social}.test.ts",
  "tests/contract/auth-{links,requests,admin,factors,confirm,upkeep}.test.ts",
  "tests/contract/{auth-limits,media-access,guests-whole,pin-attack,notices-mail,cards,albums,moving-photos,plan-endings}.test.ts",
];

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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Conditions that are waited for come true at their own pace on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: "rules", include: ["{web,server,shared,scripts}/**/*.test.{ts,tsx}"] } },
      { extends: true, test: { name: "policies", include: ["tests/policies/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "contract",
          include: ["tests/contract/**/*.test.ts"],
          exclude: process.env.TEST_DATABASE_URL ? ANY_DATABASE : [],
        },
      },
    ],
  },
});
