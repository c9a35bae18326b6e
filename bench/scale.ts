import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./processes.ts";

/** What a read costs: pages of tables and indexes, its time in milliseconds, and its rows. */
interface Cost {
  pages: number;
  ms: number;
  rows: number;
}

/** A read of the web app, or a statement of a job, for two owners. */
interface ReadCosts {
  read: string;
  small: Cost;
  heavy: Cost;
  /** How much more it costs for the same number of rows. */
  growth: number;
}

/**
 * Prints what each read of the web app costs an owner of 500 memories and 30,000 photos beside one of 10 and 100, and
 * what each job costs with them. The suite that limits the growth measures it.
 */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "skies-bench-"));
  const file = join(folder, "costs.json");
  try {
    const suite = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "tests",
        "tests/contract/growth.test.ts",
        // The large installation takes minutes, on a busy machine many.
        "--hookTimeout=3600000",
        "--testTimeout=3600000",
      ],
      {
        cwd: root,
        env: { ...process.env, LONG_TESTS: "1", GROWTH_TABLE: file },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const [code] = (await once(suite, "exit")) as [number | null];
    const costs = JSON.parse(await readFile(file, "utf8")) as ReadCosts[];
    console.log(
      "\nPages (of 8 KB), milliseconds and rows of each read: a small owner, a heavy one, and the growth of the pages for the same rows",
    );
    for (const { read, small, heavy, growth } of costs.sort((a, b) => b.growth - a.growth)) {
      const [a, b] = [small, heavy].map(({ pages, ms, rows }) => `${pages} / ${ms.toFixed(1)} / ${rows}`.padStart(21));
      console.log(`${read.slice(0, 59).padEnd(60)}${a}${b}${growth.toFixed(2).padStart(8)}`);
    }
    if (code !== 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
