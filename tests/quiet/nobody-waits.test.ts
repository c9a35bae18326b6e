import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSecrets } from "../../server/settings/secrets.ts";
import { floodedAccount, floods } from "../support/floods.ts";
import { type HostileTarget, hostileRequests, sendRaw } from "../support/hostile-requests.ts";
import {
  heartbeats,
  joinsForUnknownTables,
  joinsWithForgedTokens,
  joinsWithManyFilters,
  sendHostile,
} from "../support/hostile-sockets.ts";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { sampled } from "../support/long-tests.ts";
import { type Person, signUp } from "../support/people.ts";
import type { Reading } from "../support/reader-process.ts";
import { newRow } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** The most additional milliseconds that a person may wait because of hostile requests. */
const LONGER = 250;
/** The number of parallel copies of a hostile request. */
const AT_ONCE = 20;
/** The number of attempts in which a request has to delay a person before it counts as the cause. */
const TIMES = 3;
/** The number of reads that determine the usual time. */
const USUAL = 100;

let server: KillableServer;
let target: HostileTarget;
let hostile: Person;
let keys: { publishable: string; secret: string };
let reader: ChildProcess;
let huge: Buffer;

beforeAll(async () => {
  // Without request limits, which would refuse most of these requests before they do any harm.
  server = await killableServer({ REQUEST_BUDGET: "1000000", SIGN_IN_LIMIT: "100000" });
  const { publishableKey, secretKey } = await openSecrets({ dataDir: server.dataDir });
  keys = { publishable: publishableKey, secret: secretKey };
  const calm = await signUp(server, "Calm");
  const data = await newRow(calm.client, "albums", { name: "Sunday" });
  hostile = await signUp(server, "Hostile");
  await server.client(secretKey).rpc("grant_plan", { email: hostile.email, plan: "skies-memories" }).throwOnError();
  const memory = randomUUID();
  await hostile.client.from("memories").insert({ id: memory, person_name: "Nobody" }).throwOnError();
  target = { url: server.url, publishableKey, token: hostile.token, memory };
  // A picture of 256 megapixels, whose file is small.
  huge = await sharp({
    create: { width: 16_000, height: 16_000, channels: 3, background: "teal" },
    limitInputPixels: false,
  })
    .jpeg({ quality: 20 })
    .toBuffer();
  const reading: Reading = {
    url: `${server.url}/rest/v1/albums?select=id,name`,
    headers: { apikey: publishableKey, authorization: `Bearer ${calm.token}` },
    answer: JSON.stringify([{ id: data.id, name: "Sunday" }]),
    // Not the address of the hostile client.
    from: "127.0.0.2",
  };
  const script = new URL("../support/reader-process.ts", import.meta.url).pathname;
  reader = fork(script, [JSON.stringify(reading)], { execArgv: ["--import", "tsx"] });
});
afterAll(async () => {
  reader?.kill();
  await server?.close();
});

interface Waited {
  slowest: number;
  reads: number;
  wrong: string[];
}

/** Resolves to the reader's results since the previous call. */
async function waited(): Promise<Waited> {
  const answered = once(reader, "message");
  reader.send("report");
  const [seen] = (await answered) as [Waited];
  return seen;
}

/** Resolves to the slowest of many reads without hostile requests. */
async function usual(): Promise<number> {
  await waited();
  let slowest = 0;
  for (let reads = 0; reads < USUAL; ) {
    const seen = await waited();
    slowest = Math.max(slowest, seen.slowest);
    reads += seen.reads;
  }
  return slowest;
}

type Harm = [name: string, act: () => Promise<unknown>];

/** Runs one harm after another, and compares the reader's waiting times with the usual ones. */
async function expectNobodyWaits(harms: Harm[]) {
  const before = await usual();
  await waited();
  let most = before + LONGER;
  let slow: { harm: Harm; slowest: number }[] = harms.map((harm) => ({ harm, slowest: 0 }));
  // A delay by other load on this machine is over at the next attempt. A delay by a request occurs every time.
  for (let time = 1; time <= TIMES && slow.length > 0; time++) {
    const seen: typeof slow = [];
    for (const { harm } of slow) {
      await harm[1]().catch(() => {});
      const { slowest, wrong } = await waited();
      expect(wrong).toEqual([]);
      seen.push({ harm, slowest });
    }
    // A machine that is busy with other work is also slow before or afterwards.
    most = Math.max(most, (await usual()) + LONGER);
    slow = seen.filter(({ slowest }) => slowest > most);
  }
  expect(slow.map(({ harm: [name], slowest }) => ({ name, slowest, most }))).toEqual([]);
}

const sockets = () => ({ url: server.url, keys });
const onSockets = (count: number, messages: string[]) =>
  Promise.all(Array.from({ length: count }, () => sendHostile(sockets(), messages)));

/** Uploads a picture and requests a rendition of it. */
async function showPicture(bytes: Buffer) {
  const name = freshName(target.memory);
  const headers = { "content-type": "image/jpeg" };
  await sendRaw(target, { method: "POST", path: `/storage/v1/object/media/${name}`, headers, body: bytes });
  return sendRaw(target, { path: `/storage/v1/render/image/authenticated/media/${name}?width=480` });
}

/** Prepares the download of one small photo, from an account with 510 memories. */
async function downloadFromMany() {
  const name = freshName(target.memory);
  const body = await jpeg();
  const headers = { "content-type": "image/jpeg" };
  const stored = await sendRaw(target, { method: "POST", path: `/storage/v1/object/media/${name}`, headers, body });
  const { Id } = JSON.parse(stored.text) as { Id: string };
  const path = "/functions/v1/prepare-download";
  return sendRaw(target, { method: "POST", path, body: JSON.stringify({ mediaIds: [Id] }) });
}

const single = hostileRequests.map((one): Harm => [one.name, () => one.send(target)]);
const onSeveralSockets: Harm[] = [
  ["500 joins for unknown tables", () => onSockets(5, joinsForUnknownTables(100))],
  ["joins with long filters", () => onSockets(2, joinsWithManyFilters(40))],
  ["joins with forged tokens", () => onSockets(2, joinsWithForgedTokens(100))],
  ["thousands of heartbeats", () => onSockets(2, heartbeats(2000))],
];

/** The same harm, this many times in parallel. */
const atOnce = (times: number, [name, act]: Harm): Harm => [
  `${name}, ${times} times at once`,
  () => Promise.allSettled(Array.from({ length: times }, act)),
];

test("hostile requests one after another delay no other person", async () => {
  await expectNobodyWaits([...single, ...onSeveralSockets]);
}, 300_000);

test("twenty of each hostile request at once delay no other person", async () => {
  await expectNobodyWaits(single.map((harm) => atOnce(AT_ONCE, harm)));
}, 600_000);

test("three pictures of 256 megapixels at once delay no other person", async () => {
  await expectNobodyWaits([atOnce(3, ["a picture of 256 megapixels", () => showPicture(huge)])]);
}, 300_000);

test("an account with 510 memories that downloads a photo delays no other person", async () => {
  const rows = Array.from({ length: 510 }, (_, n) => ({ person_name: `Nobody ${n}` }));
  await hostile.client.from("memories").insert(rows).throwOnError();
  await expectNobodyWaits([atOnce(AT_ONCE, ["a download", downloadFromMany])]);
}, 300_000);

test("a flood of ordinary requests of each kind delays no other person", async () => {
  const account = { owner: hostile.client, service: server.client(keys.secret), photo: await jpeg() };
  const flooded = await floodedAccount(target, account);
  await expectNobodyWaits(sampled(floods(flooded, keys), 6).map(({ name, send }) => [name, send]));
}, 600_000);

test("afterwards people sign in, write and read as before", async () => {
  const ada = await signUp(server, "Ada");
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect(error).toBeNull();
  const id = randomUUID();
  await client.from("memories").insert({ id, person_name: "Rosa" }).throwOnError();
  const { data } = await client.from("memories").select("person_name").eq("id", id).throwOnError();
  expect(data).toEqual([{ person_name: "Rosa" }]);
});
