import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutValues } from "../../server/http/request-log.ts";
import { atEnd } from "../support/at-end.ts";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { follow } from "../support/changes.ts";
import { startCollector } from "../support/collector.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, open, post } from "../support/sharing.ts";
import { freshName, jpeg, uploadResumably } from "../support/uploads.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
atEnd(() => rm(webFolder, { recursive: true, force: true }));
await writeFile(join(webFolder, "index.html"), "<head></head>");

const lines: string[] = [];
const traces = await startCollector();
const environment = {
  LOG_LEVEL: "trace",
  OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_BSP_MAX_QUEUE_SIZE: "100000",
};
const server = await testServer(environment, undefined, {
  webFolder,
  jobs: true,
  sandboxes: true,
  logStream: { write: (line) => lines.push(line) },
});
/** All credentials and personal data of this test, by their names. */
const secrets = new Map<string, string>();
const keep = (what: string, value: unknown) => {
  expect([what, value]).toEqual([what, expect.stringMatching(/.{4,}/)]);
  secrets.set(what, String(value));
  return String(value);
};

const PIN = "4718";
const WRONG_PIN = "9265";

test("logs and traces have no secrets and no personal data", async () => {
  const { db, url } = server;
  const ada = await signUp(server, "Ada");
  keep("email", ada.email);
  keep("password", ada.password);
  keep("access token", ada.token);
  keep("refresh token", (await ada.client.auth.getSession()).data.session?.refresh_token);
  await server.client().auth.signInWithPassword({ email: ada.email, password: ada.password });
  await server.client().auth.signInWithPassword({ email: ada.email, password: keep("wrong password", randomUUID()) });
  await server.client().auth.resetPasswordForEmail(ada.email);
  // The content of a sent email is deleted. Therefore the token is generated for an email that others send.
  const { data: made } = await server.service().auth.admin.generateLink({ type: "recovery", email: ada.email });
  const mailed = keep("mailed token", made.properties?.hashed_token);
  await fetch(`${url}/auth/v1/verify?type=recovery&token=${mailed}`, { redirect: "manual" });

  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const shareId = keep("share id", memory.share_id);
  const memoryId = memory.id;
  const { data: links } = await ada.client.from("share_links").select("id").single().throwOnError();
  const bearer = { authorization: `Bearer ${ada.token}` };
  await post(server, "share-pin", { linkId: links?.id, pin: keep("PIN", PIN) }, bearer);
  await open(server, shareId, keep("wrong PIN", WRONG_PIN));
  const visitor = keep("visitor's token", (await open(server, shareId, PIN)).body.token);
  await post(server, "open-share", { shareId: `${shareId}x`, pin: PIN });
  for (const path of [
    `/shared/${shareId}`,
    `/shared/${shareId}/${memoryId}`,
    `/${shareId}`,
    `/shared/${shareId}.html`,
  ]) {
    await fetch(`${url}${path}?pin=${PIN}`);
    await fetch(`${url}${path}`, { method: "PROPFIND" });
  }
  await fetch(`${url}/shared/%E0%A4${shareId}`);

  const input = { memory_id: memoryId, email: keep("invited address", "aunt@example.com"), role: "viewer" };
  const invitation = await newRow(ada.client, "invitations", input);
  const written = ada.client.rpc("invitation_email", { invitation_id: invitation.id });
  const email = (await written.single<{ share_id: string; token: string }>().throwOnError()).data;
  keep("invitation's share id", email.share_id);
  await fetch(`${url}/shared/${email.share_id}`);
  await post(server, "open-share", { shareId: email.share_id, invitation: keep("invitation's token", email.token) });
  await post(server, "open-share", { shareId, invitation: email.token });

  const order = await paidOrder(db, ada.id, { cards: { quantity: 1 } });
  const [card] = await cardsOf(db, order.id);
  const code = keep("card's code", card?.code);
  await fetch(`${url}/c/${code}`);
  await post(server, "open-card", { code, pin: PIN });

  const photo = freshName(memoryId);
  await uploadResumably({ url, token: ada.token, name: photo, bytes: await jpeg() });
  keep("photo", photo);
  const reader = server.client(visitor);
  const { data: signed } = await reader.storage.from("media").createSignedUrl(photo, 60);
  const signedUrl = signed?.signedUrl ?? "";
  keep("signed URL's token", new URL(signedUrl).searchParams.get("token"));
  expect((await fetch(signedUrl)).status).toBe(200);
  await fetch(signedUrl.replace("token=", "token=x"));
  await fetch(signedUrl.replace("/media/", `/media/${shareId}`));
  const archive = await post(server, "prepare-download", { memoryId, archive: true }, bearer);
  keep("download's ticket", new URL(String(archive.body.url)).searchParams.get("ticket"));
  await fetch(String(archive.body.url));
  await (await follow(reader)).channel.unsubscribe();
  await reader.removeAllChannels();

  // Refusals and server errors, whose messages quote the request.
  await ada.client.from("memories").select().eq("id", shareId);
  await ada.client.from("memories").select().eq("created_at", ada.email);
  await ada.client.from("memories").insert({ id: memoryId, person_name: ada.email });
  await ada.client.from(shareId).select();
  await ada.client.from("memories").select(`"it's from ${shareId}":id`).throwOnError();
  await ada.client.rpc(shareId);
  await post(server, "open-share", `{"shareId": "${shareId}", "pin": ${PIN} nonsense`);
  await fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", body: `{"email": "${ada.email}"` });
  await db.exec("alter table share_links rename to share_links_away");
  expect((await open(server, shareId, PIN)).status).toBe(500);
  await db.exec("alter table share_links_away rename to share_links");

  await expect.poll(() => lines.filter((line) => line.includes("request completed")).length).toBeGreaterThan(30);
  const log = lines.join("");
  expect(log).toContain('"url":"/shared/:shareId"');
  expect(log).toContain('"url":"/c/:code"');
  expect(log).toContain('"url":"/storage/v1/object/sign/:bucket/*"');
  expect(log).toContain("share_links");
  const leaks = [...secrets].filter(([, value]) => lines.some((line) => holds(line, value)));
  expect(leaks.map(([what, value]) => [what, lines.find((line) => holds(line, value))])).toEqual([]);

  // Spans are exported in the order in which they end.
  const chosen = randomUUID().replaceAll("-", "");
  const traceparent = `00-${chosen}-00f067aa0ba902b7-01`;
  const last = (await fetch(`${url}/auth/v1/settings?name=Rosa`, { headers: { traceparent } })).headers;
  const spans = () =>
    traces.spans.map(({ name, attributes: { "skies.request_id": id, ...rest } }) => ({ name, id, rest }));
  await expect.poll(() => spans().some(({ id }) => id === last.get("x-request-id")), { timeout: 180_000 }).toBe(true);
  expect(traces.spans.filter(({ traceId }) => traceId === chosen)).toEqual([]);
  const names = new Set(spans().map(({ name }) => name));
  const expected = ["POST /functions/v1/open-share", "GET /shared/:shareId", "POST /auth/v1/token", "select memories"];
  expect(expected.filter((name) => !names.has(name))).toEqual([]);
  const telemetry = JSON.stringify(spans().map(({ name, rest }) => [name, rest]));
  const bodies = traces.bodies.join("");
  const leaked = [...secrets, ["name", "Rosa"] as const, ["address", "127.0.0.1"] as const];
  expect(leaked.filter(([, value]) => holds(telemetry, value) || (value.length > 4 && bodies.includes(value)))).toEqual(
    [],
  );
});

/** Values that may contain the PIN's digits by chance: times, process ids, and random ids of requests and traces. */
const BY_CHANCE = /"(time|pid|responseTime)":[\d.]+|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{16,32}\b/g;
/** Other numbers, e.g. ports, may also contain the four digits, so a PIN counts only if no further digit follows. */
const holds = (line: string, value: string) =>
  value.length > 4 ? line.includes(value) : new RegExp(`(?<!\\d)${value}(?!\\d)`).test(line.replace(BY_CHANCE, ""));

test.each([
  ['invalid input syntax for type uuid: "sunflower"', "invalid input syntax for type uuid: …"],
  ["Unexpected token 's', \"sunflower\" is not valid JSON", "Unexpected token …, … is not valid JSON"],
  ['relation "share_links" does not exist', 'relation "share_links" does not exist'],
  ["No account ada@example.com", "No account [address]"],
  ["Link 0123456789ABCDEFGHIJKL is gone", "Link [id] is gone"],
  ["GET /shared/0123456789ABCDEFGHIJKL failed", "GET /shared/[id] failed"],
  ["PIN 4718 is wrong, call +39 055 123456", "PIN [number] is wrong, call [number]"],
  ["code:4718, pin 4718", "code:[number], pin [number]"],
  // Ports are no values of people.
  ["connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:5432"],
  ["Server listening at http://[::1]:3000", "Server listening at http://[::1]:3000"],
  ["http://localhost:54321/shared/4718", "http://localhost:54321/shared/[number]"],
])("%s is logged as %s", (message, logged) => {
  expect(withoutValues(message)).toBe(logged);
});
