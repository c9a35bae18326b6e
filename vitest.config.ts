import { defineConfig } from "vitest/config";

/** What is the same beside any database: pictures and videos, other people's wire formats, a process that is killed. */
const ANY_DATABASE = [
  "tests/contract/{kill,kill-payments,storage-pictures,storage-copies,storage-video,video-playback,mail-gateways,mail-sandbox}.test.ts",
  "tests/contract/{verify-turnstile,auth-captcha,auth-hostile-social,auth-hostile-factors}.test.ts",
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
