import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPayments, type Payments } from "../../sandboxes/payments/payments.ts";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { ensureFaketime } from "../../scripts/setup/test-programs.mjs";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { type DrillSite, drillLoad, STEPS, type Work } from "../support/drill-load.ts";
import { type FaultyLine, faultyLine } from "../support/faulty-line.ts";
import { ADDRESS, CARDS, checkoutRequests, ordersOf, sandboxSettings } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { builtServer, clientsOf, endProcess, startServer } from "../support/server-process.ts";
import { newMemory } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const MINUTE = 60_000;
/** How often the server is killed. */
const KILLS = 5;

const ends: (() => Promise<unknown>)[] = [];
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let s3: S3Server;
let sandbox: Payments;
let url: string;
let ada: Person;
let memoryId: string;
let server: Awaited<ReturnType<typeof startServer>>;
/** Starts the server again, with the same settings and data. */
let restart: () => Promise<void>;
let clients: Awaited<ReturnType<typeof clientsOf>>;
const lines = {} as Record<"database" | "objects" | "mail" | "payments", FaultyLine>;
/** Recipients of messages that the mail server has accepted. */
const mailed: string[] = [];
/** The path of a file with the offset of the server's clock, which the server's process reads. */
let clock: string;

const site: DrillSite = { url: "", publishableKey: "", token: "", memoryId: "" };
const { ledger, headersOf, drill, expectNothingLost } = drillLoad(
  site,
  () => server.exitCode === null && server.signalCode === null,
);

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "skies-drills-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const main = await builtServer();
  postgres = await startEmbeddedPostgres(join(folder, "postgres"));
  ends.push(() => postgres.close());
  s3 = await startS3();
  ends.push(() => s3.close());
  sandbox = await openPayments();
  ends.push(() => sandbox.close());
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      mailed.push(address);
      done();
    },
    onData: (stream, _session, done) => stream.resume().once("end", () => done()),
  });
  const mailPort = await freePort();
  await new Promise<void>((resolve) => mail.listen(mailPort, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => mail.close(() => resolve(undefined))));

  const address = new URL(postgres.url);
  const [sockets, port] = [address.searchParams.get("host") ?? "", address.searchParams.get("port") || "5432"];
  lines.database = await faultyLine({ path: join(sockets, `.s.PGSQL.${port}`) });
  const bucket = await s3.bucket();
  lines.objects = await faultyLine({ host: "127.0.0.1", port: Number(new URL(s3.endpoint).port) });
  lines.mail = await faultyLine({ host: "127.0.0.1", port: mailPort });
  lines.payments = await faultyLine({ host: "127.0.0.1", port: Number(new URL(sandbox.baseUrl).port) });
  for (const line of Object.values(lines)) ends.push(line.close);
  const through = (base: string, line: FaultyLine) =>
    Object.assign(new URL(base), { hostname: "127.0.0.1", port: `${line.port}` });
  address.search = "";
  clock = join(folder, "clock");
  await writeFile(clock, "+0s");
  const dataDir = join(folder, "data");
  const serverPort = await freePort();
  url = `http://127.0.0.1:${serverPort}`;
  const settings = {
    port: serverPort,
    DATA_DIR: dataDir,
    ...bucket,
    S3_ENDPOINT: `http://127.0.0.1:${lines.objects.port}`,
    DATABASE_URL: through(address.href, lines.database).href,
    SMTP_URL: `smtp://127.0.0.1:${lines.mail.port}`,
    ...sandboxSettings(sandbox),
    STRIPE_BASE_URL: through(sandbox.baseUrl, lines.payments).href.replace(/\/$/, ""),
    REQUEST_BUDGET: "1000000",
    LOG_LEVEL: "fatal",
    ...(await withClock(clock)),
  };
  restart = async () => {
    server = await startServer(main, settings);
  };
  await restart();
  ends.push(() => endProcess(server, "SIGTERM"));
  sandbox.deliverTo(`${url}/functions/v1/payment-webhook`);
  clients = await clientsOf(dataDir);
  ada = await signUp({ client: (bearer) => clients.client(url, bearer as string | undefined) }, "Ada");
  memoryId = (await newMemory(ada.client, { person_name: "Nonna Rosa" })).id;
  Object.assign(site, { url, publishableKey: clients.publishableKey, token: ada.token, memoryId });
}, 300_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end().catch(() => {});
}, 120_000);

/**
 * Environment variables that make a process read its clock from a file. Timers stay correct, as when a real clock is
 * set.
 */
async function withClock(file: string) {
  const { file: library } = await ensureFaketime();
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

test(
  "the database is restarted: requests wait or are refused with a message, and succeed again afterwards",
  async () => {
    await drill("database restarted", async () => {
      const before = postgres.pid();
      // As when an administrator stops it: connections end in the middle of their work.
      process.kill(before ?? 0, "SIGINT");
      await expect.poll(() => postgres.pid(), { timeout: MINUTE }).not.toBe(before);
    });
  },
  5 * MINUTE,
);

test(
  "the database cannot be reached: requests are refused with the reason, and succeed again afterwards",
  async () => {
    const seen = await drill("database away", async () => {
      lines.database.become("down");
      await delay(8000);
      lines.database.become("up");
    });
    expect(seen).toContainEqual(expect.stringMatching(/^503 The database cannot be reached right now/));
  },
  5 * MINUTE,
);

const OBJECTS_AWAY = /^503 (SlowDown: )?The stored files cannot be reached right now/;

test(
  "the object storage fails or is down: requests without files succeed, and uploads complete when it is back",
  async () => {
    const seen = await drill("objects refused", async () => {
      for (const mood of ["refusing", "down"] as const) {
        lines.objects.become(mood);
        await delay(5000);
      }
      lines.objects.become("up");
    });
    expect(seen).toContainEqual(expect.stringMatching(OBJECTS_AWAY));
    // Requests that need no files have never failed.
    expect(seen.filter((line) => !OBJECTS_AWAY.test(line))).toEqual([]);
  },
  5 * MINUTE,
);

test(
  "the object storage is slow: no request fails",
  async () => {
    const seen = await drill("objects slow", async () => {
      lines.objects.become("slow");
      await delay(8000);
      lines.objects.become("up");
    });
    expect(seen).toEqual([]);
  },
  5 * MINUTE,
);

test(
  "the object storage does not answer: an upload is refused, and requests without files succeed meanwhile",
  async () => {
    const rows = ledger.albums.size;
    let during = 0;
    const seen = await drill("objects silent", async () => {
      lines.objects.become("silent");
      const sent = fetch(`${url}/storage/v1/object/media/${freshName(memoryId)}`, {
        method: "POST",
        headers: headersOf("image/jpeg"),
        body: new Uint8Array(await jpeg()),
      });
      expect((await sent).status).toBe(503);
      during = ledger.albums.size - rows;
      lines.objects.become("up");
    });
    expect(during).toBeGreaterThan(STEPS);
    expect(seen.filter((line) => !OBJECTS_AWAY.test(line))).toEqual([]);
  },
  5 * MINUTE,
);

test(
  "the mail server is down: people register meanwhile, and each gets their email once it is back",
  async () => {
    const work: Work[] = ["addAlbum", "askForMail"];
    const seen = await drill(
      "mail away",
      async () => {
        lines.mail.become("down");
        const before = ledger.asked.length;
        await expect.poll(() => ledger.asked.length, { timeout: MINUTE }).toBeGreaterThan(before + STEPS);
        lines.mail.become("up");
      },
      work,
    );
    expect(seen).toEqual([]);
    const missing = () => ledger.asked.filter((email) => !mailed.includes(email));
    await expect.poll(missing, { timeout: 4 * MINUTE }).toEqual([]);
  },
  8 * MINUTE,
);

test(
  "the payment provider is down: the checkout says so, and a payment made meanwhile becomes an order",
  async () => {
    const { checkOut, sessionFor } = checkoutRequests({ url });
    const buy = () => checkOut(ada, { items: [CARDS(1)] });
    const open = await sessionFor(ada, [CARDS(2)]);
    await drill("payments away", async () => {
      lines.payments.become("down");
      const refused = await buy();
      const { message } = (await refused.json()) as { message: string };
      console.info(`payments away: ${refused.status} ${message}`);
      expect(refused.status).toBe(503);
      expect(message).toMatch(/try again/);
      sandbox.store.pay(open, { number: CARD_NUMBERS.pays, name: "Ada", address: ADDRESS });
      lines.payments.become("up");
    });
    expect((await buy()).status).toBe(200);
    await expect
      .poll(async () => (await ordersOf(ada.client)).filter((order) => order.session_id === open), { timeout: MINUTE })
      .toHaveLength(1);
  },
  5 * MINUTE,
);

/**
 * Errors after a jump: the store refuses a signature of another time once, then the client corrects for the difference.
 */
const SKEWED = OBJECTS_AWAY;

test(
  "the clock of the server jumps: by minutes or a day back requests without files succeed, and by a day on tokens are renewed",
  async () => {
    // A jump of some minutes, as after a pause of a virtual machine, and a day back: tokens of an hour stay valid.
    for (const jump of ["+600s", "-600s", "-1d", "+0s"]) {
      const seen = await drill(`clock ${jump}`, () => writeFile(clock, jump));
      expect(seen.filter((line) => !SKEWED.test(line))).toEqual([]);
    }
    // A jump of a day: tokens expire, and the client renews them, as it does each hour.
    await writeFile(clock, "+1d");
    const status = async () =>
      (await fetch(`${url}/rest/v1/albums?select=id&limit=1`, { headers: headersOf("application/json") })).status;
    await expect.poll(status, { timeout: MINUTE }).toBe(401);
    const { data } = await ada.client.auth.refreshSession();
    site.token = data.session?.access_token ?? "";
    const seen = await drill("clock +1d", async () => {});
    expect(seen.filter((line) => !SKEWED.test(line))).toEqual([]);
    await writeFile(clock, "+0s");
  },
  8 * MINUTE,
);

test(
  "the server is killed while it stores parts, makes pictures and packs archives: each is whole afterwards",
  async () => {
    const work: Work[] = ["addAlbum", "uploadAtOnce", "uploadInParts", "showPhoto", "takeArchive"];
    for (let kill = 1; kill <= KILLS; kill++) {
      const strike = async () => {
        // At another moment of the work each time.
        await delay(kill * 70);
        await endProcess(server, "SIGKILL");
        await restart();
      };
      await drill(`kill ${kill}`, strike, work, { cuts: true });
    }
  },
  60 * MINUTE,
);

test("nothing that was acknowledged during the drills is lost", async () => {
  const { data } = await ada.client.auth.refreshSession();
  expect(ledger.photos.size).toBeGreaterThan(50);
  await expectNothingLost(clients.client(url, data.session?.access_token));
}, 300_000);
