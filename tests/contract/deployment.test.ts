import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, get, type IncomingMessage, request } from "node:http";
import { connect } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { administratorSql } from "../../server/database/administrator-sql.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { readSettings, SETTING_NAMES } from "../../server/settings/settings.ts";
import { atEnd } from "../support/at-end.ts";
import { follow } from "../support/changes.ts";
import { newSecrets, OF_PROVIDERS, readCompose, readExample, readImage } from "../support/containers.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { startProxy } from "../support/proxy.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Settings that only compose reads from the file of settings. */
const OF_THE_DATABASE = ["POSTGRES_PASSWORD"];
/** Settings of the example whose values can stay. */
const FINAL = ["S3_ACCESS_KEY_ID", "BACKUP_TO"];

test("the containers' files name only files, folders and settings that exist", async () => {
  const { copies, variables } = await readImage();
  expect(copies.map(({ path }) => path)).toEqual(expect.arrayContaining(["db/migrations", "scripts/backup.mjs"]));
  // Created by npm and by the build.
  const there = (name: string) => ["node_modules", "dist"].includes(name) || existsSync(join(root, name));
  expect(copies.map(({ path }) => path).filter((path) => !there(path))).toEqual([]);

  const { services } = await readCompose();
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.flatMap((volume) => volume.match(/^\.\/([\w.]+):/)?.[1] ?? []),
  );
  expect(mounted).toContain("nginx.conf");
  expect(mounted.filter((name) => name !== "tls" && !existsSync(join(root, "deploy", name)))).toEqual([]);

  const example = await readExample();
  const ofContainer = services["skies-1"]?.environment ?? {};
  const names = [...Object.keys(example), ...Object.keys(ofContainer)];
  expect(names.filter((name) => ![...SETTING_NAMES, ...OF_THE_DATABASE].includes(name))).toEqual([]);
  const { NODE_ENV, HOST, PORT } = variables;
  // Read as the process reads them in production.
  const settingsWith = async (values: Record<string, string>) => {
    const set = (await readCompose(values)).services["skies-1"]?.environment;
    return () => readSettings({ NODE_ENV, HOST, PORT, ...values, ...set });
  };
  // Anybody can read the example's key, so nothing starts until each placeholder is replaced.
  for (const name of Object.keys(example).filter((name) => ![...OF_THE_DATABASE, ...FINAL].includes(name)))
    expect(await settingsWith(example)).toThrow(new RegExp(`^  ${name}: `, "m"));
  expect(await settingsWith(example)).toThrow(/^ {2}DATABASE_URL: is still a placeholder/m);
  const complete = await settingsWith({ ...example, ...OF_PROVIDERS, ...(await newSecrets()) });
  expect(complete()).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0", s3: { bucket: "skies" } });
});

test("the containers reach each other as meant, and nobody outside reaches the database and the store", async () => {
  const values = { POSTGRES_PASSWORD: "p4ss", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "s3cret" };
  const { services, networks, volumes, configs } = await readCompose(values);
  const networksOf = (name: string) => {
    const networks = services[name]?.networks ?? [];
    return Array.isArray(networks) ? networks : Object.keys(networks);
  };
  // With another common network, the proxy's address would depend on the network that answers its name lookup.
  const addresses = services.proxy?.networks as Record<string, { ipv4_address?: string }>;
  for (const one of ["skies-1", "skies-2"]) {
    const common = networksOf(one).filter((network) => network in addresses);
    expect(common).toEqual(["front"]);
    expect(services[one]?.environment?.TRUST_PROXY).toBe(addresses.front?.ipv4_address);
  }
  // The engine gives other containers addresses of the upper half only.
  const [range] = networks.front?.ipam?.config ?? [];
  expect([range, addresses.front]).toEqual([
    { subnet: "10.89.7.0/24", ip_range: "10.89.7.128/25" },
    { ipv4_address: "10.89.7.2" },
  ]);
  expect(networks.back?.internal).toBe(true);
  for (const one of ["postgres", "s3"]) expect([one, networksOf(one)]).toEqual([one, ["back"]]);
  const published = Object.entries(services).filter(([, { ports }]) => ports);
  expect(published.map(([name]) => name)).toEqual(["proxy"]);
  const beside = await readCompose(values, "compose.checkout.yaml");
  expect(Object.values(beside.services).flatMap(({ ports = [] }) => ports)).toEqual([
    "127.0.0.1:5432:5432",
    "127.0.0.1:8333:8333",
  ]);

  for (const [name, { logging }] of Object.entries(services))
    expect([name, logging?.options]).toEqual([name, { "max-size": "20m", "max-file": "5" }]);
  const { volumes: ofImage, user } = await readImage();
  const mounts = (services["skies-1"]?.volumes ?? []).map((volume) => volume.split(":"));
  expect(mounts.map(([, place]) => place).sort()).toEqual([...ofImage].sort());
  expect(user).not.toBe("root");
  expect(mounts.every(([name = ""]) => name in volumes)).toBe(true);

  // The database's user is an ordinary one, and the store knows one key.
  const owner = { user: "skies", password: values.POSTGRES_PASSWORD, database: "skies" };
  expect(configs.database?.content.trim().split("\n")).toEqual(administratorSql(owner).map((line) => `${line};`));
  expect(JSON.parse(configs.store?.content ?? "")).toEqual({
    identities: [expect.objectContaining({ credentials: [{ accessKey: "key", secretKey: "s3cret" }] })],
  });
  for (const [name, { configs: used = [] }] of Object.entries(services))
    expect([name, used.filter(({ source }) => !(source in configs))]).toEqual([name, []]);
  expect(`${services.s3?.command}`).toContain(`-s3.config=${services.s3?.configs?.[0]?.target}`);
});

test("the proxy redirects clear text, and speaks HTTP/2 in TLS", async () => {
  const backend = createServer((request, reply) =>
    reply.end(`${request.method} ${request.url} ${request.headers["x-forwarded-proto"]}`),
  );
  await new Promise<void>((resolve) => void backend.listen(0, "127.0.0.1", resolve));
  atEnd(async () => void backend.close());
  const proxy = await startProxy([(backend.address() as AddressInfo).port], { tls: true });
  atEnd(proxy.close);
  const clear = `http://127.0.0.1:${proxy.clearPort}`;
  const sent = await fetch(`${clear}/shared/x?pin=1`, { redirect: "manual" });
  expect([sent.status, sent.headers.get("location")]).toEqual([301, "https://127.0.0.1/shared/x?pin=1"]);
  // A certificate is renewed over clear text.
  expect(await (await fetch(`${clear}/.well-known/acme-challenge/token`)).text()).toBe("authorized");

  const session = connect(proxy.url, { rejectUnauthorized: false });
  atEnd(async () => session.destroy());
  const stream = session.request({ ":path": "/pricing" });
  const body = await stream.setEncoding("utf8").toArray();
  expect([session.alpnProtocol, body.join("")]).toEqual(["h2", "GET /pricing https"]);
});

test.runIf(LONG)("behind the proxy, two processes serve as one, with the server's own limits", async () => {
  const main = await builtServer();
  const databaseUrl = await testDatabaseUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-proxied-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const ports = [await freePort(), await freePort()];
  const start = (port: number) =>
    startServer(main, {
      port,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: "http://skies.example",
      TRUST_PROXY: "127.0.0.1",
      REQUEST_BUDGET: "1000000",
    });
  const children = await Promise.all(ports.map(start));
  for (const child of children) atEnd(() => endProcess(child, "SIGTERM"));
  const proxy = await startProxy(ports);
  atEnd(proxy.close);
  const { client, publishableKey } = await clientsOf(dataDir);
  const server = { client: (bearer?: string) => client(proxy.url, bearer) };
  const ada = await signUp(server, "Ada");
  const { id: memoryId } = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  const headers = { apikey: publishableKey, authorization: `Bearer ${ada.token}` };

  // The address is that of the connection, whatever a client claims.
  const signIn = (localAddress: string) =>
    answerOf(
      request(`${proxy.url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        localAddress,
        headers: { apikey: publishableKey, "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
      }).end(JSON.stringify({ email: ada.email, password: ada.password })),
    );
  expect((await signIn("127.0.0.7")).status).toBe(200);
  const db = await openPostgres(databaseUrl);
  const { rows } = await db.query<{ ip: string }>("select ip from auth.sessions order by created_at");
  await db.close();
  expect(rows.map(({ ip }) => ip)).toEqual(["127.0.0.1", "127.0.0.7"]);

  // A whole file in one request, one in chunks like those of the web app, and a range of it.
  const bytes = Buffer.concat([await jpeg(), randomBytes(14 * 1024 * 1024)]);
  const name = freshName(memoryId);
  const whole = freshName(memoryId);
  expect((await ada.client.storage.from("media").upload(whole, bytes, { contentType: "image/jpeg" })).error).toBeNull();
  const target = { url: proxy.url, token: ada.token, bytes };
  await uploadResumably({ ...target, name }, { chunkSize: 6 * 1024 * 1024 });
  const range = await answerOf(
    get(`${proxy.url}/storage/v1/object/authenticated/media/${name}`, {
      headers: { ...headers, range: "bytes=9000000-9000099" },
    }),
  );
  expect(range.status).toBe(206);
  expect(range.body).toEqual(bytes.subarray(9_000_000, 9_000_100));

  // A caching edge serves a file only to callers who may read it at the moment.
  const edge = await startProxy([Number(new URL(proxy.url).port)], { name: "edge.conf" });
  atEnd(edge.close);
  const atEdge = async (path: string, headers: Record<string, string> = { apikey: publishableKey }) => {
    const reply = await answerOf(get(`${edge.url}${path}`, { headers }));
    return { status: reply.status, cache: reply.headers["x-cache"], isWhole: reply.body.equals(bytes) };
  };
  const path = `/storage/v1/object/authenticated/media/${whole}`;
  expect(await atEdge(path, headers)).toEqual({ status: 200, cache: "MISS", isWhole: true });
  await expect.poll(() => atEdge(path, headers)).toEqual({ status: 200, cache: "HIT", isWhole: true });
  expect(await atEdge(path)).toEqual({ status: 404, isWhole: false });
  await client(edge.url, ada.token).storage.from("media").remove([whole]);
  // The other process may cache a permission for half a second.
  await expect.poll(() => atEdge(path, headers)).toEqual({ status: 404, isWhole: false });

  // The proxy streams uploads: bytes that arrived before a disconnection are not sent again.
  const cut = resumable({ ...target, name: freshName(memoryId) }, { uploadDataDuringCreation: false });
  let location = "";
  cut.upload.options.onUploadUrlAvailable = () => {
    location = cut.upload.url ?? "";
    cut.upload.abort();
  };
  cut.upload.start();
  await expect.poll(() => location).not.toBe("");
  const tus = { ...headers, "tus-resumable": "1.0.0" };
  const offset = async () =>
    Number((await fetch(location, { method: "HEAD", headers: tus })).headers.get("upload-offset") ?? -1);
  const half = request(location, {
    method: "PATCH",
    headers: {
      ...tus,
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
      "content-length": `${bytes.length}`,
    },
  });
  half.on("error", () => {});
  half.write(bytes.subarray(0, 5 * 1024 * 1024));
  const parts = join(dataDir, "storage/parts");
  const arriving = async () =>
    Promise.all((await readdir(parts)).map(async (part) => (await stat(join(parts, part))).size)).catch(() => []);
  await expect.poll(async () => Math.max(0, ...(await arriving()))).toBeGreaterThan(0);
  half.destroy();
  await expect.poll(offset).toBeGreaterThan(0);

  // A request beyond a limit is answered with a message that a browser may read.
  const post = (size: number) =>
    fetch(`${proxy.url}/rest/v1/albums`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", origin: "https://elsewhere.example" },
      body: JSON.stringify({ name: "x".repeat(size) }),
    });
  const tooLarge = await post(1_500_000);
  expect([tooLarge.status, tooLarge.headers.get("access-control-allow-origin")]).toEqual([413, "*"]);
  expect(await tooLarge.json()).toHaveProperty("message");
  expect((await post(2_500_000)).status).toBe(413);
  const list = `${proxy.url}/rest/v1/albums?select=id&id=in.(`;
  const ids = (length: number) => fetch(`${list}${"0".repeat(length)})`, { headers });
  expect((await ids(11_900)).status).toBe(400);
  expect(await (await ids(11_900)).json()).toHaveProperty("code");
  expect((await ids(13_000)).status).toBe(414);

  // Row changes arrive, from either process.
  const { events } = await follow(server.client(ada.token), { table: "comments", filter: `memory_id=eq.${memoryId}` });
  await ada.client.from("comments").insert({ memory_id: memoryId, body: "She sang." }).throwOnError();
  await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ body: "She sang." }]);

  // Replacing a process causes no failed request.
  const read = () => fetch(`${proxy.url}/rest/v1/memories?select=id`, { headers });
  const [first, second] = children;
  if (!first || !second) throw new Error("Two processes were started");
  await endProcess(first, "SIGTERM");
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await read()).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  // The client itself reopens that process's socket at the other one.
  const heard = async () => {
    await ada.client.from("comments").insert({ memory_id: memoryId, body: "Again." }).throwOnError();
    return events.some(({ new: row }) => "body" in row && row.body === "Again.");
  };
  await expect.poll(heard, { timeout: 180_000, interval: 500 }).toBe(true);
  await endProcess(second, "SIGTERM");
  const away = await read();
  expect([away.status, away.headers.get("retry-after"), away.headers.get("access-control-allow-origin")]).toEqual([
    503,
    "2",
    "*",
  ]);
  expect(await away.json()).toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("Please try again"),
  });
});

/** Resolves to the status, headers and whole body of a response. */
async function answerOf(requesting: ReturnType<typeof get>) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    requesting.once("response", resolve);
    requesting.once("error", reject);
  });
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) };
}
