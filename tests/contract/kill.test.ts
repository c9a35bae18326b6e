import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../server/database/connect.ts";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { type Person, signUp } from "../support/people.ts";
import { usageOf } from "../support/plans.ts";
import { freshName, jpeg, resumable } from "../support/uploads.ts";

const KILLS = 20;
/** The whole of it takes no longer, in milliseconds, even where a start takes seconds: then there are fewer kills. */
const PATIENCE_MS = 50_000;
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

let server: KillableServer;
let ada: Person;
let memoryId: string;
beforeAll(async () => {
  server = await killableServer();
  ada = await signUp(server, "Ada");
  memoryId = randomUUID();
  const { error } = await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" });
  if (error) throw error;
});
afterAll(() => server?.close());

/** What the server has said is safe, and what happened on the way. */
interface Ledger {
  photos: Map<string, string>;
  albums: Set<string>;
  /** For each resumable upload that ended well, how many URLs it took. */
  urls: number[];
  /** How many uploads were under way when a process was killed, and ended well. */
  resumed: number;
  kills: number;
  steps: number;
}

/** A photo with a tail of noise, so that every one is another. */
const photo = async () => Buffer.concat([await jpeg(), randomBytes(randomInt(20_000, 1_200_000))]);

async function uploadResumably(ledger: Ledger) {
  const [name, bytes, killsBefore] = [freshName(memoryId), await photo(), ledger.kills];
  const urls = new Set<string | null>();
  const { upload, done } = resumable(
    { url: server.url, token: ada.token, name, bytes },
    {
      chunkSize: 128 * 1024,
      // However long a start takes on this machine, the client outlasts it.
      retryDelays: Array.from({ length: 5000 }, () => 100),
      onUploadUrlAvailable: () => urls.add(upload.url),
      onChunkComplete: () => {
        ledger.steps += 1;
      },
    },
  );
  upload.start();
  await done.catch((error: Error) => {
    // The client's own error holds its whole connection, which nobody can read.
    throw new Error(error.message);
  });
  ledger.photos.set(name, hashOf(bytes));
  ledger.urls.push(urls.size);
  if (ledger.kills > killsBefore) ledger.resumed += 1;
}

async function uploadAtOnce(ledger: Ledger) {
  const [name, bytes] = [freshName(memoryId), await photo()];
  const { error } = await server.client(ada.token).storage.from("media").upload(name, bytes);
  if (!error) ledger.photos.set(name, hashOf(bytes));
  ledger.steps += 1;
}

async function insertRow(ledger: Ledger) {
  const id = randomUUID();
  const { error } = await server.client(ada.token).from("albums").insert({ id, name: "A row" });
  if (!error) ledger.albums.add(id);
  ledger.steps += 1;
}

test("killed again and again, the server keeps all that it acknowledged and nothing half-made", async () => {
  const ledger: Ledger = { photos: new Map(), albums: new Set(), urls: [], resumed: 0, kills: 0, steps: 0 };
  const end = Date.now() + PATIENCE_MS;
  let over = false;
  const keepDoing = async (work: (ledger: Ledger) => Promise<void>) => {
    while (!over) {
      await work(ledger);
      // While nobody answers, every try fails at once.
      await delay(5);
    }
  };
  const busy = Promise.all([uploadResumably, uploadResumably, uploadAtOnce, insertRow].map(keepDoing));
  const killing = async () => {
    while (ledger.kills < KILLS && Date.now() < end) {
      const enough = ledger.steps + randomInt(1, 12);
      await expect.poll(() => ledger.steps, { interval: 2, timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
      // Somewhere inside the next step, rather than always just after one.
      await delay(randomInt(0, 40));
      ledger.kills += 1;
      await server.killAndRestart();
    }
  };
  await Promise.race([killing(), busy]).finally(() => {
    over = true;
  });
  await busy;
  if (ledger.kills < KILLS) console.info(`This machine is busy: ${ledger.kills} kills in ${PATIENCE_MS / 1000} s`);

  expect(ledger.photos.size).toBeGreaterThan(0);
  expect(ledger.albums.size).toBeGreaterThan(0);
  expect(ledger.resumed).toBeGreaterThan(0);
  // A second URL would mean that the bytes sent before the kill were lost.
  expect(new Set(ledger.urls)).toEqual(new Set([1]));

  const media = server.client(ada.token).storage.from("media");
  for (const [name, hash] of ledger.photos) {
    const { data } = await media.download(name);
    expect(data && hashOf(Buffer.from(await data.arrayBuffer())), name).toBe(hash);
  }
  const { data: albums } = await server.client(ada.token).from("albums").select("id");
  expect(albums?.map(({ id }) => id)).toEqual(expect.arrayContaining([...ledger.albums]));

  await server.stop();
  await expectNothingHalfMade();
}, 180_000);

/** Looks at the stopped server's data itself, where what no answer shows would be found. */
async function expectNothingHalfMade() {
  const db = await connect({ dataDir: server.dataDir });
  try {
    const objects = await db.query<{ name: string; version: string; size: number; media: string | null }>(
      `select o.name, o.version, (o.metadata ->> 'size')::bigint as size, m.object_name as media
       from storage.objects o full join media m on m.id = o.id`,
    );
    for (const { name, version, size, media } of objects.rows) {
      expect(media).toBe(name);
      const file = await stat(join(server.dataDir, "storage/objects/media", version));
      expect(file.size, name).toBe(size);
    }
    const unfinished = await db.query<{ id: string; size: number }>(
      "select id, size from storage.uploads where finished_at is null",
    );
    for (const { id, size } of unfinished.rows) {
      const part = await stat(join(server.dataDir, "storage/parts", id)).catch(() => ({ size: 0 }));
      expect(part.size, "complete bytes without a row").toBeLessThan(size);
    }
    expect((await usageOf(db, ada.id)).stored).toBe(objects.rows.reduce((sum, { size }) => sum + size, 0));
  } finally {
    await db.close();
  }
}
