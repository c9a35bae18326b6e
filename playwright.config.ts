import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/suites/browser.mjs";
import { findFirefox, findWebKit } from "./scripts/suites/engines.mjs";
import { LONG } from "./tests/support/long-tests.ts";

/** Debian's Firefox, to which Playwright speaks the standard WebDriver BiDi. */
const firefox = {
  browserName: "firefox" as const,
  channel: "moz-firefox",
  launchOptions: {
    executablePath: fileURLToPath(new URL("scripts/suites/firefox.mjs", import.meta.url)),
    // As in Chromium without a window: no animations, and scroll bars that take no room.
    firefoxUserPrefs: { "ui.prefersReducedMotion": 1, "ui.useOverlayScrollbars": 1 },
  },
};

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/support/e2e-global.ts",
  outputDir: "test-results",
  // Each worker has its own server, database and browser. On two cores, a third worker would slow down all of them.
  workers: 2,
  fullyParallel: true,
  // Slow by nature: only the long run has them.
  ...(LONG ? {} : { grepInvert: /@long/ }),
  // A test takes a minute, and four on a slow machine. These timeouts end only what hangs.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [
    ["list"],
    ["./tests/support/seconds-by-file.ts"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? ".cache/reports/e2e.json" }],
  ],
  use: {
    browserName: "chromium",
    launchOptions: { executablePath: findChromium() },
    locale: "en-GB",
    timezoneId: "Europe/London",
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Only the tests without a network allow it: elsewhere it would answer requests that a test wants to see.
    serviceWorkers: "block",
  },
  projects: [
    { name: "chromium", testIgnore: "engines/**" },
    // `npm test` reports an engine that is not installed as skipped.
    ...(findFirefox() ? [{ name: "firefox", testMatch: "engines/firefox.test.ts", use: firefox }] : []),
    ...(findWebKit() ? [{ name: "webkit", testMatch: "engines/webkit.test.ts" }] : []),
  ],
});
