import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect } from "vitest";
import type { Transaction } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import type { Files } from "../../server/files/files.ts";
import { from } from "../../server/files/uploads/write-part.ts";
import { cachedBuckets } from "../../server/supabase/storage/cached-lookups.ts";
import { inspect } from "../../server/supabase/storage/finalize-upload.ts";
import { openResumable } from "../../server/supabase/storage/open-resumable.ts";
import { discardStrays, removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { finishUploads, removeOldUploads, type SweepDeps } from "../../server/supabase/storage/sweep.ts";
import { atEnd } from "./at-end.ts";
import { LONG } from "./long-tests.ts";
import type { TestServer } from "./server.ts";
import type { Owner } from "./sharing.ts";
import { freshName, jpeg } from "./uploads.ts";

/** A step of a schedule. It concerns one of the uploads, and happens at one of the two processes. */
export interface Step {
  what: (typeof STEPS)[number];
  upload: number;
  at: 0 | 1;
}

const STEPS = [
  // Requests of the client.
  "send half",
  "send all",
  "resume",
  "cancel",
  "delete",
  "restore",
  "delete forever",
  // A worker is killed when all bytes have arrived, …
  "die before keeping",
  "die before the row",
  // … or while PostgreSQL runs its statement, which ends at `settle`, or begins only then.
  "die during the row",
  "die with a late row",
  "settle",
  "lose the database",
  "lose the right",
  // The jobs of a process, and time.
  "restart",
  "list",
  "sweep",
  "wait an hour",
  "wait a day",
] as const;

const UPLOADS = 2;

export const anySchedule = fc.array(
  fc.record({
    what: fc.constantFrom(...STEPS),
    upload: fc.nat(UPLOADS - 1),
    at: fc.constantFrom(0 as const, 1 as const),
  }),
  { minLength: 4, maxLength: 16 },
);

interface ModelUpload {
  id: string;
  name: string;
  bytes: Buffer;
  /** Whether the client was told that the upload is complete. */
  isAcknowledged: boolean;
  isDeleted: boolean;
}

/** A statement of a killed worker that PostgreSQL still runs, or that waits before its first step. */
interface Orphan {
  upload: ModelUpload;
  settle(): void;
  ended: Promise<void>;
}

const TUS = { "tus-resumable": "1.0.0" };
const base64 = (text: string) => Buffer.from(text).toString("base64");
const FOREVER = new Date(Date.now() + 10 * 365 * 86_400_000);

/** Runs schedules on two servers that share a database and the stored bytes, and checks them against the promise. */
export async function byteModel([first, second]: readonly [TestServer, TestServer], owner: Owner) {
  const { db } = first;
  const servers = [first, second] as const;
  // Requests that wait for an open row may use all connections of the servers.
  const observer = await openPostgres(db.url);
  atEnd(() => observer.close());
  const jobs = servers.map(({ files }) => {
    const resumable = openResumable({ db, files, buckets: cachedBuckets(db) });
    return { db, files, resumable, log: { warn: () => {} } };
  });
  const jobsAt = (at: 0 | 1) => jobs[at] as SweepDeps;
  const authorization = { authorization: `Bearer ${owner.token}` };

  const send = (at: 0 | 1, method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    fetch(`${servers[at].url}/storage/v1/${path}`, {
      method,
      headers: { ...authorization, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });

  async function create(): Promise<ModelUpload> {
    const bytes = Buffer.concat([await jpeg(8, 8), randomBytes(40)]);
    const name = freshName(owner.memoryId);
    const metadata = { bucketName: "media", objectName: name, contentType: "image/jpeg" };
    const { headers } = await send(0, "POST", "upload/resumable", {
      ...TUS,
      "upload-length": String(bytes.length),
      "upload-metadata": Object.entries(metadata)
        .map(([key, value]) => `${key} ${base64(value)}`)
        .join(),
    });
    const id = headers.get("location")?.split("/").at(-1) ?? "";
    return { id, name, bytes, isAcknowledged: false, isDeleted: false };
  }

  async function offsetOf(upload: ModelUpload, at: 0 | 1): Promise<number | undefined> {
    const { status, headers } = await send(at, "HEAD", `upload/resumable/${upload.id}`, TUS);
    if (status !== 200) return undefined;
    const offset = Number(headers.get("upload-offset"));
    if (offset === upload.bytes.length) upload.isAcknowledged = true;
    return offset;
  }

  async function patch(upload: ModelUpload, at: 0 | 1, end: number): Promise<void> {
    const offset = await offsetOf(upload, at);
    if (offset === undefined || offset >= end) return;
    const headers = { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    const path = `upload/resumable/${upload.id}`;
    const response = await send(at, "PATCH", path, headers, upload.bytes.subarray(offset, end));
    const isComplete = Number(response.headers.get("upload-offset")) === upload.bytes.length;
    if (response.status === 204 && isComplete) upload.isAcknowledged = true;
  }

  /** Does what a worker does until it is killed. Its row is settled later. */
  async function die(upload: ModelUpload, at: 0 | 1, when: Step["what"]): Promise<Orphan | undefined> {
    const { files } = servers[at];
    const key = { bucket: "media", version: upload.id };
    const { rows } = await db.query("select from storage.uploads where id = $1 and finished_at is null", [upload.id]);
    if (rows.length === 0) return;
    const size = upload.bytes.length;
    const reached = await files.incoming.received(key, size);
    if (reached === undefined) return;
    if (reached < size) {
      const rest = from(Readable.from([upload.bytes.subarray(reached)]));
      await files.incoming.write(key, rest, { at: reached, size });
    }
    if (when === "die before keeping") return;
    const bucket = { id: "media", file_size_limit: null, allowed_mime_types: null };
    const facts = await inspect(files, { bucket, version: upload.id });
    await files.incoming.keep(key);
    if (when === "die before the row") return;
    const store = async (tx: Transaction) => {
      await tx.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
        owner.caller.role,
        JSON.stringify(owner.caller),
      ]);
      await tx.query("select storage.store_object(gen_random_uuid(), 'media', $1, $2, $3, $4, '{}', false)", [
        upload.name,
        owner.userId,
        upload.id,
        JSON.stringify(facts),
      ]);
    };
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ended = observer
      .transaction(async (tx) => {
        if (when === "die during the row") await store(tx).finally(begun);
        begun();
        await settled;
        if (when === "die with a late row") await store(tx);
      })
      .catch(() => {})
      .finally(begun);
    await running;
    return { upload, settle, ended };
  }

  /** Every version that has bytes of any kind. */
  async function storedVersions(files: Files): Promise<string[]> {
    const versions = await files.copies.versions();
    for await (const { version } of files.objects.keys(FOREVER)) versions.push(version);
    for await (const { version } of files.incoming.keys(FOREVER)) versions.push(version);
    return versions;
  }

  /** Every object has its bytes. */
  async function checkRows(uploads: ModelUpload[]): Promise<void> {
    const { rows } = await db.query<{ version: string; name: string }>(
      "select version, name from storage.objects where bucket_id = 'media'",
    );
    for (const { version } of rows) {
      const upload = uploads.find(({ id }) => id === version);
      for (const { files } of servers) {
        const bytes = await buffer(await files.objects.read({ bucket: "media", version }));
        expect(bytes.equals(upload?.bytes ?? Buffer.alloc(0)), "an object has its bytes").toBe(true);
      }
    }
    for (const upload of uploads.filter(({ isAcknowledged, isDeleted }) => isAcknowledged && !isDeleted)) {
      const named = rows.some(({ version }) => version === upload.id);
      expect(named, "an acknowledged upload has a row").toBe(true);
    }
  }

  /** Lets hours pass in the database. Rows that an open statement has locked stay as they are. */
  async function wait(hours: number): Promise<void> {
    for (const [table, column, id] of [
      ["discarded", "discarded_at", "version"],
      ["removed", "removed_at", "digest"],
      ["uploads", "created_at", "id"],
    ]) {
      await db.query(
        `update storage.${table} set ${column} = ${column} - make_interval(hours => $1)
         where ${id} in (select ${id} from storage.${table} for update skip locked)`,
        [hours],
      );
    }
  }

  /** Whether a statement waits for another transaction. */
  const isWaiting = () =>
    observer
      .query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1")
      .then(({ rows }) => rows.length > 0)
      // After the loss of the database, a busy machine may take longer to connect than the driver waits.
      .catch(() => false);

  /** Ends all connections to the database, and waits until new ones work. */
  async function loseDatabase(): Promise<void> {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    await observer.query(end).catch(() => {});
    for (const pool of [observer, db]) {
      for (let successes = 0; successes < 3; ) {
        successes = await pool.query("select").then(
          () => successes + 1,
          () => 0,
        );
      }
    }
  }

  const sweep = async (at: 0 | 1) => {
    await removeOldUploads(jobsAt(at));
    await removeDiscarded(jobsAt(at));
  };

  async function restore({ name }: ModelUpload, at: 0 | 1): Promise<void> {
    const { rows } = await db.query<{ id: string }>(
      "select id from storage.objects where bucket_id = 'media' and name = $1",
      [name],
    );
    const items = rows.map(({ id }) => ({ kind: "media", id }));
    await servers[at].client(owner.token).rpc("restore_deleted", { items });
  }

  async function deleteForever(upload: ModelUpload): Promise<void> {
    const { changed } = await db.query("delete from storage.objects where version = $1", [upload.id]);
    if (changed > 0) upload.isDeleted = true;
  }

  const loseRight = ({ id }: ModelUpload) =>
    db.query(`update storage.uploads set caller = '{"role": "anon"}' where id = $1 and finished_at is null`, [id]);

  async function run(schedule: Step[]): Promise<void> {
    const uploads = await Promise.all(Array.from({ length: UPLOADS }, create));
    const orphans: Orphan[] = [];
    const waiting = new Map<Promise<unknown>, ModelUpload | undefined>();
    const settleAll = async () => {
      for (const { settle } of orphans) settle();
      await Promise.all(orphans.splice(0).map(({ ended }) => ended));
      await Promise.all(waiting.keys());
    };
    /** While a row is open, work may wait for it. Then the schedule goes on without its end. */
    const perform = async (work: Promise<unknown>, upload?: ModelUpload) => {
      let isDone = false;
      const handled = work
        .catch(() => {})
        .finally(() => {
          isDone = true;
          waiting.delete(handled);
        });
      if (orphans.length === 0) return void (await handled);
      waiting.set(handled, upload);
      for (let polls = 0; !isDone && polls < 50 && !(await isWaiting()); polls += 1);
    };
    const isBusy = (upload: ModelUpload) =>
      orphans.some((orphan) => orphan.upload === upload) || [...waiting.values()].includes(upload);

    const take = async ({ what, at, upload: index }: Step) => {
      const upload = uploads[index] as ModelUpload;
      const { id, name, bytes } = upload;
      const client = servers[at].client(owner.token);
      switch (what) {
        case "send half":
          return perform(patch(upload, at, Math.floor(bytes.length / 2)), upload);
        case "send all":
          return perform(patch(upload, at, bytes.length), upload);
        case "resume":
          return perform(offsetOf(upload, at), upload);
        case "cancel":
          return perform(send(at, "DELETE", `upload/resumable/${id}`, TUS), upload);
        case "delete":
          return perform(client.storage.from("media").remove([name]), upload);
        case "restore":
          return perform(restore(upload, at), upload);
        case "delete forever":
          if (!isBusy(upload)) await perform(deleteForever(upload), upload);
          return;
        case "settle":
          return settleAll();
        case "lose the database":
          await loseDatabase();
          return settleAll();
        case "lose the right":
          if (!isBusy(upload)) await loseRight(upload);
          return;
        case "restart":
          return perform(finishUploads(jobsAt(at)));
        case "list":
          return perform(discardStrays(jobsAt(at)));
        case "sweep":
          return perform(sweep(at));
        case "wait an hour":
          return wait(1);
        case "wait a day":
          return wait(25);
        default: {
          // A second open row of the account would wait for the first.
          if (isBusy(upload) || (what === "die during the row" && orphans.length > 0)) return;
          const orphan = await die(upload, at, what).catch(() => undefined);
          if (orphan) orphans.push(orphan);
        }
      }
    };
    try {
      for (const step of schedule) await take(step);
      await settleAll();
      await checkEnd(uploads);
    } finally {
      await settleAll();
      await db.query("delete from storage.objects");
      await db.query("delete from storage.uploads");
      await wait(25);
      await sweep(0);
    }
  }

  async function checkEnd(uploads: ModelUpload[]): Promise<void> {
    await checkRows(uploads);
    for (const upload of uploads.filter(({ isAcknowledged, isDeleted }) => isAcknowledged && !isDeleted)) {
      await restore(upload, 0);
      let response = await send(1, "GET", `object/media/${upload.name}`, {});
      // A database that a busy machine does not let work is no loss: 544 asks for another attempt.
      while (response.status === 544) response = await send(1, "GET", `object/media/${upload.name}`, {});
      const received = Buffer.from(await response.arrayBuffer());
      expect([response.status, received.equals(upload.bytes)], "an acknowledged upload is readable").toEqual([
        200,
        true,
      ]);
    }
    // The hourly list, a day, and the next sweep.
    await discardStrays(jobsAt(0));
    await wait(25);
    await sweep(1);
    await checkRows(uploads);
    const { rows } = await db.query<{ version: string }>("select version from storage.objects");
    const named = new Set(rows.map(({ version }) => version));
    for (const { files } of servers) {
      const unnamed = (await storedVersions(files)).filter((version) => !named.has(version));
      expect(unnamed, "nothing that no row names stays for more than a day").toEqual([]);
    }
  }

  /** Runs so many random schedules; a short run on a busy machine fewer. Rejects with the shortest one that breaks the promise. */
  return async (runs: number, seed: number) => {
    let last = Promise.resolve();
    const property = fc.asyncProperty(anySchedule, (schedule) => (last = run(schedule)));
    await fc.assert(property, { numRuns: runs, seed, ...TIME_LIMIT });
    // The time limit leaves the last schedule running.
    await last;
  };
}

/** The time after which no further schedule begins. A long run is complete or fails. */
const TIME_LIMIT = LONG ? {} : { interruptAfterTimeLimit: 30_000 };

/** A seed for the schedules: `BYTE_SEED`, or always the same one. */
export const SEED = Number(process.env.BYTE_SEED ?? 31);
