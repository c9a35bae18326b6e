import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { atEnd } from "../support/at-end.ts";
import { freshFolder } from "../support/backups.ts";
import { type SeenSpan, startCollector } from "../support/collector.ts";
import { killableServer } from "../support/killable-server.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** Returns the samples of a metric with their labels. */
function samplesOf(text: string, name: string): { labels: string; value: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, metric, labels = "", value] = line.match(/^(\w+)(\{.*\})? (\S+)$/) ?? [];
    return metric === `skies_${name}` ? [{ labels, value: Number(value) }] : [];
  });
}

test("metrics and traces show what the server does, and contain no personal data", async () => {
  const port = await freePort();
  const lines: string[] = [];
  const traces = await startCollector();
  const environment = {
    METRICS_PORT: `${port}`,
    LOG_LEVEL: "info",
    TRUST_PROXY: "127.0.0.1",
    TRUST_TRACEPARENT: "true",
    BACKUP_TO: await freshFolder(),
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_BSP_MAX_QUEUE_SIZE: "100000",
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=of%20ours",
    OTEL_RESOURCE_ATTRIBUTES: "host.name=one",
  };
  const server = await testServer(environment, undefined, {
    jobs: true,
    sandboxes: true,
    logStream: { write: (line) => lines.push(line) },
  });
  const ada = await signUp(server, "Ada");
  const memoryId = randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  const bytes = Buffer.concat([await jpeg(), randomBytes(10_000)]);
  const name = freshName(memoryId);
  expect((await ada.client.storage.from("media").upload(name, bytes)).error).toBeNull();
  expect((await ada.client.storage.from("media").download(name)).error).toBeNull();
  // A message that an outage delayed, and one whose time has not come.
  await server.db.query(
    `insert into private.outbox (kind, template, language, recipient, attempts, created_at, next_attempt_at) values
     ('sms', 'otp', 'en', '+390000000', 5, now() - interval '1000 s', now() + interval '1 hour'),
     ('sms', 'otp', 'en', '+390000000', 0, now() - interval '9000 s', now() + interval '1 hour')`,
  );
  const socket = new WebSocket(
    `${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${server.keys.publishable}`,
  );
  await once(socket, "open");
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await expect
    .poll(async () => samplesOf(await metrics(), "job_runs").find(({ labels }) => labels.includes("retention"))?.value)
    .toBeGreaterThan(0);
  const text = await metrics();
  const sum = (metric: string, label = "") =>
    samplesOf(text, metric)
      .filter(({ labels }) => labels.includes(label))
      .reduce((total, { value }) => total + value, 0);
  expect(
    sum("http_request_duration_seconds_count", 'route="/storage/v1/object/:bucket/*",status="200"'),
  ).toBeGreaterThan(1);
  expect(sum("http_request_duration_seconds_count", 'method="POST",route="/auth/v1/signup",status="200"')).toBe(1);
  expect(sum("realtime_sockets")).toBe(1);
  expect(sum("outbox_oldest_seconds")).toBeGreaterThan(999);
  expect(sum("outbox_oldest_seconds")).toBeLessThan(9000);
  expect(sum("database_up")).toBe(1);
  expect(sum("database_connections")).toBeGreaterThan(0);
  expect(samplesOf(text, "database_queue")).toHaveLength(2);
  expect(samplesOf(text, "job_failures").every(({ value }) => value === 0)).toBe(true);
  expect(sum("storage_bytes", "stored")).toBeGreaterThanOrEqual(0);
  expect(sum("process_resident_memory_bytes")).toBeGreaterThan(0);
  expect(sum("build_info", `node="${process.version}"`)).toBe(1);
  expect(sum("disk_bytes", "size")).toBeGreaterThan(sum("disk_bytes", "free"));
  // Each metric that an alert or the dashboard names is there.
  const deployed = ["alerts.yaml", "dashboard.json"].map((file) =>
    readFile(new URL(`../../deploy/${file}`, import.meta.url), "utf8"),
  );
  const namedMetrics = new Set(
    [...(await Promise.all(deployed)).join().matchAll(/\bskies_\w+/g)].map(([name]) => name),
  );
  expect(namedMetrics.size).toBeGreaterThan(9);
  const metricOf = (name: string) => name.replace(/_(count|bucket)$/, "");
  // The processes of WORKERS are counted by the one that starts them.
  expect([...namedMetrics].filter((name) => !text.includes(`# TYPE ${metricOf(name)} `))).toEqual(["skies_workers"]);
  for (const secret of [ada.id, ada.email, memoryId, name, "127.0.0.1"]) expect(text).not.toContain(secret);
  // The public port serves no metrics.
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  socket.close();

  // A request keeps its id from the proxy to the log and the response. An invalid id is replaced.
  const requestId = randomUUID();
  const named = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": requestId } });
  expect([named.status, named.headers.get("x-request-id")]).toEqual([200, requestId]);
  const renamed = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": ada.email } });
  expect(renamed.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => lines.filter((line) => JSON.parse(line).reqId === requestId).length).toBe(2);
  expect(lines.filter((line) => line.includes(ada.email))).toEqual([]);

  // Each request is a trace that includes its queries and its use of files.
  const seen = (name: string) => traces.spans.filter((span) => span.name === name);
  await expect.poll(() => seen("POST /storage/v1/object/:bucket/*").length).toBe(1);
  const [upload] = seen("POST /storage/v1/object/:bucket/*") as [SeenSpan];
  expect(upload).toMatchObject({
    parentId: "",
    attributes: { "http.route": "/storage/v1/object/:bucket/*", "http.response.status_code": 200 },
    resource: { "service.name": "skies", "host.name": "one" },
  });
  const below = (parent: SeenSpan) => traces.spans.filter(({ parentId }) => parentId === parent.id);
  const children = below(upload);
  expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(["incoming write", "incoming keep"]));
  expect(children.filter((span) => span.attributes["db.system.name"] === "postgresql").length).toBeGreaterThan(0);
  expect(new Set(children.map(({ traceId }) => traceId))).toEqual(new Set([upload.traceId]));
  const [transaction] = traces.spans.filter(({ name }) => name === "transaction") as [SeenSpan];
  expect(below(transaction).length).toBeGreaterThan(0);
  expect(traces.headers()).toMatchObject({ "x-collector-key": "of ours" });
  // The log names the trace of each request.
  const completed = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === "request completed");
  const ofUpload = completed.find(({ reqId }) => reqId === upload.attributes["skies.request_id"]);
  expect(ofUpload).toMatchObject({ trace_id: upload.traceId });

  // Each run of a job is a separate trace.
  await expect.poll(() => seen("job retention").length).toBeGreaterThan(0);
  const [run] = seen("job retention") as [SeenSpan];
  expect([run.parentId, below(run).length > 0]).toEqual(["", true]);
  const sent = () => seen("job outbox").flatMap(below);
  await expect.poll(() => sent().map(({ name }) => name), { timeout: 180_000 }).toContain("gateway mail");

  // A proxy's trace continues. Other callers cannot choose a trace, and probes have none.
  const traceId = randomBytes(16).toString("hex");
  const traceparent = `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
  await fetch(`${server.url}/auth/v1/settings`, { headers: { traceparent } });
  await fetch(`${server.url}/auth/v1/settings`, { headers: { traceparent, "x-forwarded-for": "203.0.113.7" } });
  await expect.poll(() => seen("GET /auth/v1/settings").length).toBe(2);
  const [visitors, proxys] = seen("GET /auth/v1/settings") as [SeenSpan, SeenSpan];
  expect([visitors.parentId, proxys.traceId]).toEqual(["", traceId]);
  expect(visitors.traceId).not.toBe(traceId);
  expect(seen("GET /healthz")).toEqual([]);
  const traceText = traces.bodies.join("");
  for (const secret of [ada.id, ada.email, ada.token, memoryId, name, "203.0.113.7"])
    expect(traceText).not.toContain(secret);
});

test("an unreachable trace collector fails no request, and is logged once", async () => {
  const lines: string[] = [];
  const port = await freePort();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    OTEL_BSP_SCHEDULE_DELAY: "1",
    OTEL_BSP_MAX_QUEUE_SIZE: "10",
    LOG_LEVEL: "info",
  };
  const server = await testServer(environment, undefined, { logStream: { write: (line) => lines.push(line) } });
  const ask = async () => (await fetch(`${server.url}/auth/v1/settings`)).status;
  const said = (text: string) => lines.filter((line) => line.includes(text)).length;
  await expect.poll(async () => [await ask(), said("Traces cannot be delivered")]).toEqual([200, 1]);
  expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]));
  expect(said("Traces cannot be delivered")).toBe(1);
  const collector = await startCollector({ port });
  await expect.poll(async () => [await ask(), said("Traces are delivered again") > 0]).toEqual([200, true]);
  expect(collector.spans.length).toBeGreaterThan(0);
});

test.runIf(LONG)(
  "a stopping server finishes downloads and closes sockets, for no longer than STOP_SECONDS",
  async () => {
    const [traces, silent] = [await startCollector(), await startCollector({ silent: true })];
    const server = await killableServer({
      STOP_SECONDS: "60",
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_BSP_SCHEDULE_DELAY: "3600000",
    });
    atEnd(() => server.close());
    const ada = await signUp(server, "Ada");
    const memoryId = randomUUID();
    await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
    // More than the buffers of a connection can hold.
    const bytes = Buffer.concat([await jpeg(), randomBytes(20_000_000)]);
    const name = freshName(memoryId);
    expect((await ada.client.storage.from("media").upload(name, bytes)).error).toBeNull();
    const { data } = await ada.client.storage.from("media").createSignedUrl(name, 600);
    const slowDownload = async () => {
      const download = get(data?.signedUrl ?? "");
      const [reply] = (await once(download, "response")) as [IncomingMessage];
      reply.pause();
      return reply;
    };
    const reply = await slowDownload();
    const socket = new WebSocket(
      `${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${server.publishableKey}`,
    );
    await once(socket, "open");
    const closed = once(socket, "close");
    const stopped = server.stop();
    // New connections are refused, and sockets are asked at once to reconnect elsewhere.
    const [code] = await closed;
    expect([1001, 1012]).toContain(code);
    await expect.poll(() => fetch(`${server.url}/healthz`).catch(() => "refused")).toBe("refused");
    // A download in progress is finished.
    let length = 0;
    for await (const part of reply) length += part.length;
    expect(length).toBe(bytes.length);
    await stopped;
    // The traces that were collected until then have been sent.
    const downloads = traces.spans.filter(({ name }) => name === "GET /storage/v1/object/sign/:bucket/*");
    expect(downloads.map(({ attributes }) => attributes["skies.client_left"])).toEqual([undefined]);

    await server.restart({
      STOP_SECONDS: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: silent.url,
      OTEL_BSP_SCHEDULE_DELAY: "1",
    });
    await expect.poll(() => silent.bodies.length).toBeGreaterThan(0);
    // The collector accepts everything and never responds.
    const endless = await slowDownload();
    const broken = once(endless, "error").catch(() => {});
    await server.stop();
    endless.resume();
    await broken;
    expect(endless.complete).toBe(false);
  },
);
