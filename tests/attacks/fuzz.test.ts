import { Agent, request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { Random } from "../support/fuzz/random.ts";
import {
  type FuzzRequest,
  functionRequest,
  restRequest,
  socketMessage,
  storageRequest,
  type Vocabulary,
} from "../support/fuzz/requests.ts";
import { sized } from "../support/long-tests.ts";
import { type Person, signUp } from "../support/people.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { newRow } from "../support/sharing.ts";
import { jpeg } from "../support/uploads.ts";

/** Fixed, so that a failure can be reproduced. Long runs use a new seed each time. */
const SEED = Number(process.env.FUZZ_SEED ?? sized(20_261_122, Date.now() % 2 ** 32));
/** A word in all private data of this test, and in no request of other callers. */
const PLANTED = "Zwieback";
/** Milliseconds after which a response counts as lost. */
const PATIENCE = 30_000;
const AT_ONCE = 8;
/** The reference of a socket's last message. The reply to it shows that all earlier messages were read. */
const LAST = "the last one";

let server: TestServer;
let ada: Person;
let bob: Person;
let terms: Vocabulary;
let before: unknown;

beforeAll(async () => {
  server = await testServer();
  [ada, bob] = [await signUp(server, `${PLANTED} Ada`), await signUp(server, "Bob")];
  const { id } = await newRow(ada.client, "memories", { person_name: PLANTED });
  const story = { memory_id: id, title: PLANTED, body: `<p>${PLANTED}</p>` };
  await ada.client.from("stories").insert(story).throwOnError();
  await ada.client.from("comments").insert({ memory_id: id, body: PLANTED }).throwOnError();
  await ada.client.from("albums").insert({ name: PLANTED }).throwOnError();
  const picture = await jpeg(9, 9, "#987", { IFD0: { Artist: PLANTED } });
  const name = `${id}/${id}.jpg`;
  const stored = await ada.client.storage.from("media").upload(name, picture, { contentType: "image/jpeg" });
  expect(stored.error).toBeNull();
  terms = { ...(await vocabulary()), ids: [ada.id, bob.id, id], objects: [name] };
  before = await belongings();
});

/** Reads the names that the database and the server define. */
async function vocabulary(): Promise<Omit<Vocabulary, "ids" | "objects">> {
  const tables = await server.db.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') group by c.oid order by 1`,
  );
  const procedures = await server.db.query<{ name: string; arguments: string[] }>(
    `select proname as name, coalesce(proargnames, '{}') as arguments from pg_proc
     where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
  );
  const functions = server.routes.flatMap((route) => /^\w+ \/functions\/v1\/([\w-]+)$/.exec(route)?.[1] ?? []);
  expect(functions.length).toBeGreaterThan(20);
  return { tables: tables.rows, procedures: procedures.rows, functions: [...new Set(functions)].sort() };
}

/** Reads every row of Ada's as text. */
async function belongings(): Promise<unknown> {
  const { rows } = await server.db.query(
    `select (select jsonb_agg(m order by m.id) from memories m where m.user_id = $1) as memories,
       (select jsonb_agg(s order by s.id) from stories s) as stories,
       (select jsonb_agg(c order by c.id) from comments c) as comments,
       (select jsonb_agg(a order by a.id) from albums a where a.user_id = $1) as albums,
       (select jsonb_agg(m.object_name order by m.id) from media m) as media,
       (select jsonb_agg(p) from profiles p where p.id = $1) as profile,
       (select count(*) from memory_members) as members`,
    [ada.id],
  );
  return rows[0];
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

interface Answer {
  status: number;
  text: string;
}

function send({ method, path, headers, body }: FuzzRequest, token: string | undefined): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  const credentials = { apikey: server.keys.publishable, ...(token && { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const sending = request(
      { hostname, port, method, path, agent, headers: { ...credentials, ...headers }, timeout: PATIENCE },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("latin1") }),
        );
      },
    );
    sending.on("timeout", () => sending.destroy(new Error(`No answer to ${method} ${path}`)));
    sending.on("error", reject);
    sending.end(body);
  });
}

/** Sends `count` requests as an anonymous caller and as a stranger, and reports each response that must not occur. */
async function attack(make: (random: Random, terms: Vocabulary) => FuzzRequest, count: number) {
  const random = new Random(SEED);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const worker = async () => {
    while (sent < count && faults.length < 5) {
      sent += 1;
      const request = make(random, terms);
      const token = random.pick([undefined, bob.token, bob.token, "e30.e30.e30"]);
      const { status, text } = await send(request, token);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isLeak = text.includes(PLANTED) || text.includes(PLANTED.toLowerCase());
      if (status >= 500 || isLeak) faults.push(`${status} to ${JSON.stringify(request)}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { faults, statuses };
}

const LONG = 3_600_000;

test.each([
  ["tables and functions of the database", restRequest, sized(3000, 600_000)],
  ["files", storageRequest, sized(2000, 200_000)],
  ["functions", functionRequest, sized(1000, 100_000)],
] as const)(
  "no request to %s makes the server fail, or gives private data to an unrelated user",
  async (_, make, count) => {
    const { faults, statuses } = await attack(make, count);
    expect(faults, `seed ${SEED}`).toEqual([]);
    // Some requests must succeed, otherwise nothing behind the first check was tested.
    expect(statuses.get(200) ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(count / 200);
    expect(await belongings()).toEqual(before);
  },
  sized(300_000, LONG),
);

test(
  "no message to a socket makes the server fail, or gives private data to an unrelated user",
  async () => {
    const random = new Random(SEED);
    const leaks: string[] = [];
    const url = `${server.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${server.keys.publishable}&vsn=`;
    for (let sent = 0; sent < sized(2000, 100_000); ) {
      const version = random.pick(["1.0.0", "2.0.0"]);
      const socket = new WebSocket(`${url}${version}`);
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.on("message", (data) => {
        if (String(data).includes(PLANTED)) leaks.push(String(data));
      });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      for (let n = 0; n < 100 && socket.readyState === WebSocket.OPEN; n += 1) {
        socket.send(socketMessage(random, terms));
        sent += 1;
      }
      const answered = new Promise<void>((resolve) => {
        socket.on("message", (data) => String(data).includes(LAST) && resolve());
      });
      const last = [null, LAST, "phoenix", "heartbeat", {}];
      const [join_ref, ref, topic, event, payload] = last;
      if (socket.readyState === WebSocket.OPEN) {
        socket.send(JSON.stringify(version === "2.0.0" ? last : { join_ref, ref, topic, event, payload }));
      }
      await Promise.race([answered, closed]);
      socket.terminate();
      await closed;
    }
    expect(leaks, `seed ${SEED}`).toEqual([]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await belongings()).toEqual(before);
  },
  sized(300_000, LONG),
);
