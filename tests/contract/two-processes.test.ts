import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import { SMTPServer } from "smtp-server";
import { beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { run } from "../../scripts/setup/processes.mjs";
import { root } from "../../scripts/setup/root.mjs";
import { openPostgres } from "../../server/database/postgres.ts";
import { enqueueMail } from "../../server/jobs/outbox.ts";
import { atEnd } from "../support/at-end.ts";
import { follow } from "../support/changes.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { type Person, signUp } from "../support/people.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { addSlowRead } from "../support/slow-read.ts";
import { freshName, jpeg, resumable } from "../support/uploads.ts";
import { withWorkers } from "../support/with-workers.ts";

let main: string;
beforeAll(async () => {
  main = await builtServer();
});

/** Starts two servers in separate processes, over one database. */
async function twoServers(environment: Record<string, string> = {}) {
  const databaseUrl = await testDatabaseUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "skies-two-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const { client, publishableKey } = await clientsOf(dataDir);
  // A load balancer has one public URL for both servers. It is the issuer in their tokens.
  const PUBLIC_URL = "http://skies.example";
  const start = async () => {
    const port = await freePort();
    const child = await startServer(main, {
      port,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL,
      ...environment,
    });
    atEnd(() => endProcess(child, "SIGTERM"));
    const url = `http://127.0.0.1:${port}`;
    return { child, databaseUrl, url, publishableKey, client: (bearer?: string) => client(url, bearer) };
  };
  return [await start(), await start()] as const;
}

/** Opens a socket from an address, and keeps it open. Resolves to the status of the response: 101 if it is accepted. */
const connectFrom = (localAddress: string, { url, publishableKey }: { url: string; publishableKey: string }) =>
  new Promise<number | undefined>((resolve, reject) => {
    const where = `${url.replace("http", "ws")}/realtime/v1/websocket?vsn=1.0.0&apikey=${publishableKey}`;
    const socket = new WebSocket(where, { localAddress });
    const heartbeat = { topic: "phoenix", event: "heartbeat", payload: {}, ref: "1" };
    const beating = setInterval(() => socket.send(JSON.stringify(heartbeat)), 20_000);
    socket.once("open", () => resolve(101)).on("error", reject);
    socket.once("close", () => clearInterval(beating));
    socket.once("unexpected-response", (_request, { statusCode }) => {
      resolve(statusCode);
      socket.terminate();
    });
  });

/** A mail server that never responds to the first message to one person, and accepts all others. */
async function mailServer(to: string) {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    closeTimeout: 1,
    onData: async (stream, { envelope }, done) => {
      const message = await text(stream);
      if (!envelope.rcptTo.some(({ address }) => address === to)) return done();
      if (received.push(message.match(/^Message-ID: .*$/im)?.[0] ?? "") > 1) done();
    },
  });
  atEnd(() => new Promise<void>((closed) => server.close(closed)));
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return { received, url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}

test.runIf(LONG)(
  "two processes share changes and socket limits, and one takes over the work of the other when it is killed",
  async () => {
    const to = "reader@skies.example";
    const mail = await mailServer(to);
    const [one, other] = await twoServers({ SMTP_URL: mail.url });
    const ada = await signUp(one, "Ada");
    const memory = await newMemory(ada.client, { person_name: "Rosa" });
    const reader = other.client(ada.token);
    const { events } = await follow(reader, { table: "comments", filter: `memory_id=eq.${memory.id}` });

    await ada.client.from("comments").insert({ memory_id: memory.id, body: "She sang." }).throwOnError();
    await expect.poll(() => events.map(({ new: row }) => row)).toMatchObject([{ body: "She sang." }]);

    await reader.from("comments").update({ body: "She always sang." }).eq("body", "She sang.").throwOnError();
    const { data: read } = await ada.client.from("comments").select("body").throwOnError();
    expect(read).toEqual([{ body: "She always sang." }]);
    await reader.removeAllChannels();

    // One address has opened as many sockets as the limit allows.
    const crowd = "127.0.0.2";
    const accepted = await Promise.all(
      Array.from({ length: 20 }, async () => {
        let sockets = 0;
        while ((await connectFrom(crowd, one)) === 101) sockets += 1;
        return sockets;
      }),
    );
    expect(accepted.reduce((sum, sockets) => sum + sockets)).toBeGreaterThanOrEqual(2000);
    await expect.poll(() => connectFrom(crowd, other)).toBe(429);
    expect(await connectFrom("127.0.0.3", other)).toBe(101);

    // The other process is paused, so that the one to be killed claims the email.
    other.child.kill("SIGSTOP");
    const db = await openPostgres(one.databaseUrl);
    atEnd(() => db.close());
    const props = { name: "Ada", startUrl: "https://skies.example" };
    await enqueueMail(db, { template: "welcome", language: "en", to, props });
    await expect.poll(() => mail.received).toHaveLength(1);
    one.child.kill("SIGKILL");
    other.child.kill("SIGCONT");
    const { rows } = await db.query<{ held: number }>(
      "select extract(epoch from next_attempt_at - now())::float8 as held from private.outbox where recipient = $1",
      [to],
    );
    expect(rows[0]?.held).toBeLessThanOrEqual(30);
    // Simulates that the delay of the retry has passed.
    await db.query("update private.outbox set next_attempt_at = now() where recipient = $1 and attempts = 1", [to]);
    await db.exec("notify outbox");
    await expect.poll(() => mail.received).toHaveLength(2);
    expect(mail.received[1]).toBe(mail.received[0]);
    // The sockets of the killed process no longer count.
    await expect.poll(() => connectFrom(crowd, other), { timeout: 180_000 }).toBe(101);
  },
);

test("a request budget spent at one process is spent at another, and other callers keep theirs", async () => {
  const [one, other] = await twoServers({ REQUEST_BUDGET: "60" });
  const db = await openPostgres(one.databaseUrl);
  atEnd(() => db.close());
  await addSlowRead(db);
  const [ada, bob] = [await signUp(one, "Ada"), await signUp(one, "Bob")];
  const read = async (person: Person) =>
    (await other.client(person.token).from("subscription_plans").select("id")).status;
  expect(await read(ada)).toBe(200);

  /**
   * Spends Ada's credit. Resolves to the highest status of her reads meanwhile from the other process, which learns of it
   * a little later. Credit grows with time, so that on a slow machine some is back once all is answered.
   */
  const spendAndRead = async () => {
    let answered = false;
    const spending = Promise.all(Array.from({ length: 20 }, () => ada.client.rpc("slow_read", { seconds: 0.1 }))).then(
      () => {
        answered = true;
      },
    );
    const statuses: number[] = [];
    while (!answered) statuses.push(await read(ada));
    await spending;
    return Math.max(...statuses, await read(ada));
  };
  await expect.poll(spendAndRead, { timeout: 180_000 }).toBe(429);
  expect(await read(bob)).toBe(200);
});

/** Messages of Node's HTTP client, `fetch` and the upload client for a connection that was cut or refused. */
const CUT = /ECONNRESET|ECONNREFUSED|socket hang up|other side closed|terminated|fetch failed|tus:/;

/** Repeats `work` several times a second until it is stopped, and records the number of successes and the errors. */
function keepDoing(work: () => PromiseLike<unknown>) {
  let isStopped = false;
  const outcome = { done: 0, failed: [] as string[] };
  const ended = (async () => {
    while (!isStopped) {
      await work().then(
        () => {
          outcome.done += 1;
        },
        (error: Error) => outcome.failed.push(String(error.cause ?? error.message ?? error)),
      );
      // A pause as people make it, which leaves the processor to the starting processes and to other tests.
      await delay(150);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await ended;
  };
  atEnd(stop);
  return { outcome, stop };
}

/** Opens the first page with a new connection. Rejects if the connection is closed without a response. */
const arrive = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (answer) => answer.resume().once("end", resolve).once("error", reject)).once(
      "error",
      reject,
    );
  });

/** The comments of a memory that a client knows if it follows them, and reads them again after each reconnection. */
async function reader(client: SupabaseClient, memoryId: string) {
  const bodies = new Set<string>();
  let joins = 0;
  const catchUp = async () => {
    const { data } = await client
      .from("comments")
      .select("body")
      .eq("memory_id", memoryId)
      .limit(10_000)
      .throwOnError();
    for (const { body } of data) bodies.add(body);
    joins += 1;
  };
  await client.realtime.setAuth();
  client
    .channel(randomUUID())
    .on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "comments", filter: `memory_id=eq.${memoryId}` },
      ({ new: row }) => bodies.add(row.body),
    )
    .on("system" as never, {} as never, ({ status }: { status: string }) => void (status === "ok" && catchUp()))
    .subscribe();
  await expect.poll(() => joins).toBe(1);
  return { bodies, joins: () => joins };
}

const lives = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.runIf(LONG)(
  "workers are replaced without a failed request, and a killed one loses only its requests in progress",
  async () => {
    const server = await withWorkers(2);
    const { url, workers } = server;
    const ada = await signUp(server, "Ada");
    const memory = await newMemory(ada.client, { person_name: "Rosa" });
    const heard = await reader(server.client(ada.token), memory.id);
    const upload = async (options: object = {}) => {
      const bytes = Buffer.concat([await jpeg(), randomBytes(1_500_000)]);
      const name = freshName(memory.id);
      const sent = resumable({ url, token: ada.token, name, bytes }, { chunkSize: 50_000, ...options });
      sent.upload.start();
      await sent.done;
      const { data, error } = await ada.client.storage.from("media").download(name);
      if (error) throw error;
      if (!Buffer.from(await data.arrayBuffer()).equals(bytes)) throw new Error(`${name} was not stored`);
    };
    const written: string[] = [];
    const people: string[] = [];
    const work = {
      reading: keepDoing(() => ada.client.from("memories").select("id").single().throwOnError()),
      writing: keepDoing(async () => {
        const body = `She sang ${randomUUID()}.`;
        await ada.client.from("comments").insert({ memory_id: memory.id, body }).throwOnError();
        written.push(body);
      }),
      uploading: keepDoing(() => upload()),
      // People who arrive one after the other, each with a separate connection.
      arriving: keepDoing(async () => {
        const answers = await Promise.allSettled(Array.from({ length: 20 }, () => arrive(url)));
        for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
      }),
      joining: keepDoing(async () => people.push((await signUp(server, "Guest")).email)),
    };
    const all = Object.values(work);
    const failures = () => all.flatMap(({ outcome }) => outcome.failed);
    /** Resolves when each kind of work has succeeded twice more and nothing has failed. */
    const progress = async () => {
      const before = all.map(({ outcome }) => outcome.done);
      const idle = () =>
        Object.entries(work).filter(([, { outcome }], index) => outcome.done < (before[index] ?? 0) + 2);
      await expect.poll(() => [failures(), idle().map(([name]) => name)], { timeout: 180_000 }).toEqual([[], []]);
    };
    await progress();

    const old = [...workers];
    // As systemd does it, which says how it ended.
    const env = { DATA_DIR: server.dataDir };
    const reload = await run(process.execPath, [join(root, "scripts/reload.mjs")], { quiet: true, env });
    expect(reload).toEqual({ code: 0, output: expect.stringContaining("Every worker has been replaced.") });
    expect(workers).toHaveLength(4);
    await progress();
    await expect.poll(heard.joins, { timeout: 180_000 }).toBeGreaterThan(1);

    await work.joining.stop();
    // The emails to everybody who has joined meanwhile are sent.
    const greeted = async (email: string) => {
      const reply = await fetch(`${url}/sandbox/inbox/messages?to=${encodeURIComponent(email)}`);
      return ((await reply.json()) as { messages: unknown[] }).messages.length;
    };
    for (const email of people) await expect.poll(() => greeted(email), { timeout: 180_000 }).toBe(1);

    // Each process has its own metrics.
    const counted = (await server.metrics()).matchAll(/^skies_database_up\{worker="(\d+)"\} 1$/gm);
    expect([...counted].map(([, worker]) => worker).sort()).toEqual(["3", "4"]);
    // Its traces also name the worker. The old workers sent theirs when they ended.
    const tellers = () => new Set(server.spans.map(({ resource }) => resource["skies.worker"]));
    await expect.poll(tellers, { timeout: 180_000 }).toEqual(new Set([1, 2, 3, 4]));

    process.kill(workers[2] ?? 0, "SIGKILL");
    await expect.poll(() => workers.length, { timeout: 180_000 }).toBe(5);
    await work.uploading.stop();
    await upload({ retryDelays: Array.from({ length: 100 }, () => 100) });
    await progressOf(work.writing.outcome);
    await Promise.all(all.map(({ stop }) => stop()));
    // Each kind of work lost at most the request that it had in progress.
    expect(failures().length).toBeLessThanOrEqual(all.length);
    expect(failures().filter((why) => !CUT.test(why))).toEqual([]);

    await expect.poll(() => written.filter((body) => !heard.bodies.has(body)), { timeout: 180_000 }).toEqual([]);
    // The old processes end, because nothing is connected to them any more.
    await expect.poll(() => old.filter(lives), { timeout: 180_000 }).toEqual([]);
  },
  300_000,
);

async function progressOf(outcome: { done: number }) {
  const before = outcome.done;
  await expect.poll(() => outcome.done).toBeGreaterThan(before + 1);
}
