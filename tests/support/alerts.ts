import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensurePromtool } from "../../scripts/setup/test-programs.mjs";
import { atEnd } from "./at-end.ts";

const RULES = new URL("../../deploy/alerts.yaml", import.meta.url).pathname;
const run = promisify(execFile);

/** Values of a series over time, a minute apart, in promtool's notation: `a+bxn` is `a`, `a+b` … `a+n·b`. */
export type Series = Record<string, string>;

/** An alert, and the series with which it fires or is quiet at that minute. */
export interface AlertTest {
  alert: string;
  minute: number;
  series: Series;
  fires: boolean;
}

/** The alerts of `deploy/alerts.yaml`, in their order, with their expressions. */
export async function alertRules(): Promise<Map<string, string>> {
  const rules = await readFile(RULES, "utf8");
  return new Map(
    [...rules.matchAll(/- alert: (\w+)\n(?:\s+#.*\n)*\s+expr: (.+)/g)].map(([, name = "", expr = ""]) => [name, expr]),
  );
}

/** Opens Prometheus' tool that evaluates rules; its files are removed at the end. */
export async function openPromtool() {
  const { file, libraries } = await ensurePromtool();
  const folder = await mkdtemp(join(tmpdir(), "skies-alerts-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const promtool = (...args: string[]) => run(file, args, { env: { ...process.env, LD_LIBRARY_PATH: libraries } });
  return {
    /** What it says about the rules. */
    check: async () => (await promtool("check", "rules", RULES)).stdout,
    /** Evaluates the rules so many minutes apart; resolves to its report, with SUCCESS if all tests hold. */
    async test(tests: AlertTest[], minutesApart: number): Promise<string> {
      // JSON is YAML too.
      const text = JSON.stringify({
        rule_files: [RULES],
        evaluation_interval: `${minutesApart}m`,
        tests: tests.map(inPromtoolsWords),
      });
      const path = join(folder, "tests.yaml");
      await writeFile(path, text);
      const { stdout } = await promtool("test", "rules", path).catch((error: { stdout: string }) => error);
      return stdout;
    },
  };
}

/** The number of alerts of a name that fire, which promtool reads from its own series. */
const inPromtoolsWords = ({ alert, minute, series, fires }: AlertTest) => ({
  name: `${alert} ${fires ? "fires" : "is quiet"}`,
  interval: "1m",
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: "{}", value: fires ? 1 : 0 }],
    },
  ],
});
