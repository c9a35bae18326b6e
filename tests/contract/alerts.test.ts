import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { ensurePromtool } from "../../scripts/setup/test-programs.mjs";
import { atEnd } from "../support/at-end.ts";

const RULES = new URL("../../deploy/alerts.yaml", import.meta.url).pathname;
const run = promisify(execFile);

/** Values of a series over time, a minute apart, in promtool's notation: `a+bxn` is `a`, `a+b` … `a+n·b`. */
type Series = Record<string, string>;

/** What provokes each alert, and what is usual. An alert is looked for after so many hours. */
const CASES: { alert: string; hours: number; fires: Series; usual: Series }[] = [
  {
    alert: "DatabaseDown",
    hours: 1,
    fires: { 'skies_database_up{worker="1"}': "1+0x30 0+0x60", 'skies_database_up{worker="2"}': "1+0x90" },
    usual: { skies_database_up: "1+0x90" },
  },
  {
    alert: "RequestsFail",
    hours: 1,
    fires: {
      'skies_http_request_duration_seconds_count{status="200",route="/"}': "0+100x90",
      'skies_http_request_duration_seconds_count{status="500",route="/"}': "0+2x90",
    },
    usual: {
      'skies_http_request_duration_seconds_count{status="200",route="/"}': "0+1000x90",
      'skies_http_request_duration_seconds_count{status="503",route="/"}': "0+1x90",
    },
  },
  {
    alert: "RequestsSlow",
    hours: 1,
    fires: {
      'skies_http_request_duration_seconds_bucket{le="1",route="/rest"}': "0+10x90",
      'skies_http_request_duration_seconds_bucket{le="2.5",route="/rest"}': "0+20x90",
      'skies_http_request_duration_seconds_bucket{le="+Inf",route="/rest"}': "0+20x90",
    },
    usual: {
      'skies_http_request_duration_seconds_bucket{le="1",route="/storage/v1"}': "0+0x90",
      'skies_http_request_duration_seconds_bucket{le="+Inf",route="/storage/v1"}': "0+20x90",
    },
  },
  {
    alert: "DatabaseOverloaded",
    hours: 1,
    fires: {
      'skies_database_queue{state="waiting",worker="1"}': "15+0x90",
      'skies_database_queue{state="waiting",worker="2"}': "15+0x90",
    },
    usual: { 'skies_database_queue{state="working"}': "50+0x90" },
  },
  {
    alert: "MailWaits",
    hours: 1,
    fires: { skies_outbox_oldest_seconds: "0+60x90" },
    usual: { skies_outbox_oldest_seconds: "30+0x90" },
  },
  {
    alert: "MailGivenUp",
    hours: 1,
    fires: { 'skies_outbox_messages{state="dead",kind="email"}': "1+0x30 2+0x60" },
    usual: { 'skies_outbox_messages{state="dead",kind="email"}': "7+0x90" },
  },
  {
    alert: "JobFails",
    hours: 1,
    fires: { 'skies_job_failures{job="outbox"}': "4+0x90" },
    usual: { 'skies_job_failures{job="outbox"}': "1+0x90" },
  },
  {
    alert: "FileLost",
    hours: 1,
    fires: { 'skies_damaged_files{state="lost"}': "1+0x90" },
    usual: { 'skies_damaged_files{state="lost"}': "0+0x90" },
  },
  {
    alert: "FileNotMended",
    hours: 30,
    fires: { 'skies_damaged_files{state="mending"}': "1+0x2000" },
    usual: { 'skies_damaged_files{state="mending"}': "1+0x60 0+0x2000" },
  },
  {
    alert: "FilesReadSlowly",
    hours: 1,
    fires: { skies_read_back_round_seconds: "16000000+60x90" },
    usual: { skies_read_back_round_seconds: "7000000+60x90" },
  },
  {
    alert: "NoRecentBackup",
    hours: 60,
    fires: { 'skies_job_succeeded_timestamp_seconds{job="backup"}': "600+0x4000" },
    // The process is started again after each backup but knows of none.
    usual: { 'skies_job_succeeded_timestamp_seconds{job="backup"}': "600+0x2000 90000+0x1200 0+0x800" },
  },
  {
    alert: "DiskAlmostFull",
    hours: 1,
    fires: { 'skies_disk_bytes{state="size"}': "100+0x90", 'skies_disk_bytes{state="free"}': "40+0x30 10+0x60" },
    usual: { 'skies_disk_bytes{state="size"}': "100+0x90", 'skies_disk_bytes{state="free"}': "40+0x90" },
  },
  {
    alert: "ProcessOverloaded",
    hours: 1,
    fires: { skies_nodejs_eventloop_lag_p99_seconds: "1+0x90" },
    usual: { skies_nodejs_eventloop_lag_p99_seconds: "0.02+0x90" },
  },
];

let promtool: (...args: string[]) => Promise<{ stdout: string }>;
let folder: string;
beforeAll(async () => {
  const { file, libraries } = await ensurePromtool();
  promtool = (...args) => run(file, args, { env: { ...process.env, LD_LIBRARY_PATH: libraries } });
  folder = await mkdtemp(join(tmpdir(), "skies-alerts-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
}, 300_000);

test("every alert has a case", async () => {
  const rules = await readFile(RULES, "utf8");
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(CASES.map(({ alert }) => alert)).toEqual(alerts);
  expect((await promtool("check", "rules", RULES)).stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
});

// Evaluating days minute by minute would take a minute of computing.
test.each([
  ["an hour", 1, CASES.filter(({ hours }) => hours === 1)],
  ["days", 10, CASES.filter(({ hours }) => hours > 1)],
] as const)("each alert about %s fires when it should, and not otherwise", async (span, minutes, cases) => {
  /** The number of alerts of a name that fire, which promtool reads from its own series. */
  const testOf = (alert: string, hours: number, series: Series, fires: boolean) => ({
    name: `${alert} ${fires ? "fires" : "is quiet"}`,
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: `${hours}h`,
        exp_samples: [{ labels: "{}", value: fires ? 1 : 0 }],
      },
    ],
  });
  const tests = cases.flatMap(({ alert, hours, fires, usual }) => [
    testOf(alert, hours, fires, true),
    testOf(alert, hours, usual, false),
  ]);
  // JSON is YAML too.
  const file = join(folder, `${span}.yaml`);
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: `${minutes}m`, tests }));
  const { stdout } = await promtool("test", "rules", file).catch((error: { stdout: string; stderr: string }) => error);
  expect(stdout).toContain("SUCCESS");
});
