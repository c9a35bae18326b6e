import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { atEnd } from "../support/at-end.ts";
import { killableServer } from "../support/killable-server.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** What a metric says, by its labels. */
function samplesOf(text: string, name: string): { labels: string; value: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, found, labels = "", value] = line.match(/^(\w+)(\{.*\})? (\S+)$/) ?? [];
    return found === `skies_${name}` ? [{ labels, value: Number(value) }] : [];
  });
}

test("an operator reads what the server does, and nothing about anybody", async () => {
  const port = await freePort();
  const lines: string[] = [];
  const server = await testServer({ METRICS_PORT: `${port}`, LOG_LEVEL: "info", TRUST_PROXY: "127.0.0.1" }, undefined, {
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
  expect(sum("database_up")).toBe(1);
  expect(sum("database_connections")).toBeGreaterThan(0);
  expect(samplesOf(text, "database_queue")).toHaveLength(2);
  expect(samplesOf(text, "job_failures").every(({ value }) => value === 0)).toBe(true);
  expect(sum("storage_bytes", "stored")).toBeGreaterThanOrEqual(0);
  expect(sum("process_resident_memory_bytes")).toBeGreaterThan(0);
  for (const secret of [ada.id, ada.email, memoryId, name, "127.0.0.1"]) expect(text).not.toContain(secret);
  // Nothing is told on the port that everybody reaches.
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  socket.close();

  // A request keeps its name from the proxy to the log and the answer; what cannot be one is replaced.
  const given = randomUUID();
  const named = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": given } });
  expect([named.status, named.headers.get("x-request-id")]).toEqual([200, given]);
  const renamed = await fetch(`${server.url}/healthz`, { headers: { "x-request-id": ada.email } });
  expect(renamed.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => lines.filter((line) => JSON.parse(line).reqId === given).length).toBe(2);
  expect(lines.filter((line) => line.includes(ada.email))).toEqual([]);
}, 60_000);

test("a server that is told to stop ends a download and asks sockets to come back, and waits no longer than it may", async () => {
  const server = await killableServer({ STOP_SECONDS: "60" });
  atEnd(() => server.close());
  const ada = await signUp(server, "Ada");
  const memoryId = randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  // More than the buffers of a connection hold.
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
  // Nobody new is let in, and sockets hear at once that they should go elsewhere.
  const [code] = await closed;
  expect([1001, 1012]).toContain(code);
  await expect.poll(() => fetch(`${server.url}/healthz`).catch(() => "refused")).toBe("refused");
  // The download that was under way is finished.
  let length = 0;
  for await (const part of reply) length += part.length;
  expect(length).toBe(bytes.length);
  await stopped;

  await server.restart({ STOP_SECONDS: "1" });
  const endless = await slowDownload();
  const broken = once(endless, "error").catch(() => {});
  await server.stop();
  endless.resume();
  await broken;
  expect(endless.complete).toBe(false);
}, 120_000);
