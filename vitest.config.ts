import { defineConfig } from "vitest/config";

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
      { extends: true, test: { name: "contract", include: ["tests/contract/**/*.test.ts"], isolate: false } },
    ],
  },
});
