import { beforeAll, expect, test } from "vitest";
import { alertRules, openPromtool, type Series } from "../support/alerts.ts";

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
    fires: { 'skies_outbox_messages{state="dead",kind="mail"}': "0+0x30 1+0x60" },
    // One is removed after thirty days.
    usual: { 'skies_outbox_messages{state="dead",kind="mail"}': "7+0x30 6+0x60" },
  },
  {
    alert: "JobFails",
    hours: 1,
    fires: { 'skies_job_failures{job_name="outbox"}': "4+0x90" },
    usual: { 'skies_job_failures{job_name="outbox"}': "1+0x90" },
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
    fires: { skies_backup_newest_timestamp_seconds: "600+0x4000", skies_backup_interval_seconds: "86400+0x4000" },
    // One each three days, as it was set.
    usual: { skies_backup_newest_timestamp_seconds: "600+0x4000", skies_backup_interval_seconds: "259200+0x4000" },
  },
  {
    alert: "DiskAlmostFull",
    hours: 1,
    fires: { 'skies_disk_bytes{state="size"}': "100+0x90", 'skies_disk_bytes{state="free"}': "40+0x30 10+0x60" },
    usual: { 'skies_disk_bytes{state="size"}': "100+0x90", 'skies_disk_bytes{state="free"}': "40+0x90" },
  },
  {
    alert: "WorkerSilent",
    hours: 1,
    fires: { 'skies_workers{state="configured"}': "2+0x90", 'skies_workers{state="answering"}': "2+0x30 1+0x60" },
    usual: { 'skies_workers{state="configured"}': "2+0x90", 'skies_workers{state="answering"}': "2+0x90" },
  },
  {
    alert: "ProcessOverloaded",
    hours: 1,
    fires: { skies_nodejs_eventloop_lag_p99_seconds: "1+0x90" },
    usual: { skies_nodejs_eventloop_lag_p99_seconds: "0.02+0x90" },
  },
];

let promtool: Awaited<ReturnType<typeof openPromtool>>;
beforeAll(async () => {
  promtool = await openPromtool();
}, 300_000);

test("every alert has a case", async () => {
  const alerts = [...(await alertRules()).keys()];
  expect(CASES.map(({ alert }) => alert)).toEqual(alerts);
  expect(await promtool.check()).toContain(`SUCCESS: ${alerts.length} rules found`);
});

// Evaluating days minute by minute would take a minute of computing.
test.each([
  ["an hour", 1, CASES.filter(({ hours }) => hours === 1)],
  ["days", 10, CASES.filter(({ hours }) => hours > 1)],
] as const)("each alert about %s fires when it should, and not otherwise", async (_span, minutes, cases) => {
  const tests = cases.flatMap(({ alert, hours, fires, usual }) => [
    { alert, minute: hours * 60, series: fires, fires: true },
    { alert, minute: hours * 60, series: usual, fires: false },
  ]);
  expect(await promtool.test(tests, minutes)).toContain("SUCCESS");
});
