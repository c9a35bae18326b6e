import { expect, test } from "vitest";
import { LONG } from "../support/long-tests.ts";
import { scrape, sumOf } from "../support/scrapes.ts";
import { withWorkers } from "../support/with-workers.ts";

/** The workers of WORKERS in a state. */
const ANSWERING = ["skies_workers", 'state="answering"'] as const;
const CONFIGURED = ["skies_workers", 'state="configured"'] as const;

test.runIf(LONG)(
  "while one worker is stopped, the metrics of the other arrive in time and say that one is missing, and the server ends",
  async () => {
    const { primary, workers, metricsPort } = await withWorkers(2);
    const counts = async () => {
      // As Prometheus, which gives up after ten seconds.
      const seen = await scrape(metricsPort);
      return [sumOf(seen, ...CONFIGURED), sumOf(seen, ...ANSWERING), sumOf(seen, "skies_database_up")];
    };
    expect(await counts()).toEqual([2, 2, 2]);

    process.kill(workers[0] ?? 0, "SIGSTOP");
    expect(await counts()).toEqual([2, 1, 1]);
    process.kill(workers[0] ?? 0, "SIGCONT");
    await expect.poll(counts).toEqual([2, 2, 2]);

    // Killed, as the alert advises, it is replaced.
    process.kill(workers[0] ?? 0, "SIGKILL");
    await expect.poll(counts).toEqual([2, 2, 2]);

    // A worker that does not hear SIGTERM keeps no other from ending.
    process.kill(workers[1] ?? 0, "SIGSTOP");
    primary.kill("SIGTERM");
    await expect.poll(() => primary.exitCode).toBe(0);
  },
);
