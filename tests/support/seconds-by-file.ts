import { relative } from "node:path";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const FILES = 15;

/** Prints the slowest test files with their seconds at the end of a run. */
export default class SecondsByFile implements Reporter {
  private readonly files = new Map<string, { seconds: number; tests: number }>();

  onTestEnd({ location }: TestCase, { duration }: TestResult) {
    const file = relative(process.cwd(), location.file);
    const { seconds, tests } = this.files.get(file) ?? { seconds: 0, tests: 0 };
    this.files.set(file, { seconds: seconds + duration / 1000, tests: tests + 1 });
  }

  onEnd() {
    const all = [...this.files].sort(([, a], [, b]) => b.seconds - a.seconds);
    console.log("\nSeconds by file, the slowest first");
    for (const [file, { seconds, tests }] of all.slice(0, FILES))
      console.log(`${seconds.toFixed(1).padStart(8)}  ${file} (${tests})`);
  }

  printsToStdio() {
    return false;
  }
}
