import { defineConfig } from "vitest/config";

/**
 * What is left out on PostgreSQL, which everything was on PGlite: pictures and videos, other people's wire formats, a
 * process that is killed, and what asks the database for nothing that a file of the other round does not ask as well.
 */
const ANY_DATABASE = [
  "tests/contract/{kill,kill-payments,download,engravers-pack,my-account,realtime-audiences,verify-turnstile}.test.ts",
  "tests/contract/storage-{pictures,copies,video,buckets,download,upload}.test.ts",
  "tests/contract/{video-playback,mail-gateways,mail-sandbox,mail-welcome,send-email,send-email-delivery}.test.ts",
  "tests/contract/{unsubscribe,rest-refusals,realtime-protocol,open-share,share-ended}.test.ts",
  "tests/contract/auth-{captcha,hostile-social,hostile-factors,hostile-links,id-token,web3,identities,social}.test.ts",
  "tests/contract/auth-{links,requests,admin,factors,confirm,upkeep}.test.ts",
];

export default defineConfig({
  test: {
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
      // Each file has a server and a database of its own; loading the server anew for each would take half of the time.
      {
        extends: true,
        test: {
          name: "contract",
          include: ["tests/contract/**/*.test.ts"],
          exclude: process.env.TEST_DATABASE_URL ? ANY_DATABASE : [],
          isolate: false,
        },
      },
    ],
  },
});
