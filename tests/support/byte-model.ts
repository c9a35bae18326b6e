import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import type { Transaction } from "../../server/database/database.ts";
import type { Files } from "../../server/files/files.ts";
import { from } from "../../server/files/uploads/write-part.ts";
import { cachedBuckets } from "../../server/supabase/storage/cached-lookups.ts";
import { inspect } from "../../server/supabase/storage/finalize-upload.ts";
import { openResumable } from "../../server/supabase/storage/open-resumable.ts";
import { discardStrays, removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { finishUploads, removeOldUploads } from "../../server/supabase/storage/sweep.ts";
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
export function byteModel([first, second]: readonly [TestServer, TestServer], owner: Owner) {
  const { db } = first;
  const servers = [first, second] as const;
  const jobs = servers.map(({ files }) => {
    const resumable = openResumable({ db, files, buckets: cachedBuckets(db) });
    return { db, files, resumable, log: { warn: () => {} } };
  }) as [Parameters<typeof finishUploads>[0], Parameters<typeof finishUploads>[0]];
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
    const ended = db
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

  async function wait(hours: number): Promise<void> {
    for (const [table, column] of Object.entries({
      discarded: "discarded_at",
      uploads: "created_at",
      removed: "removed_at",
    }))
      await db.query(`update storage.${table} set ${column} = ${column} - make_interval(hours => $1)`, [hours]);
  }

  const sweep = async (at: 0 | 1) => {
    await removeOldUploads(jobs[at]);
    await removeDiscarded(jobs[at]);
  };

  const inTrash = async ({ name }: ModelUpload) =>
    (await db.query<{ id: string }>("select id from storage.objects where bucket_id = 'media' and name = $1", [name]))
      .rows[0]?.id;

  async function run(schedule: Step[]): Promise<void> {
    const uploads = await Promise.all(Array.from({ length: UPLOADS }, create));
    const orphans: Orphan[] = [];
    const waiting: Promise<unknown>[] = [];
    const settleAll = async () => {
      for (const { settle } of orphans) settle();
      await Promise.all(orphans.splice(0).map(({ ended }) => ended));
      await Promise.all(waiting.splice(0));
    };
    /** Requests that finish an upload wait for its open row. Then the schedule goes on without their answer. */
    const request = async (upload: ModelUpload, work: Promise<unknown>) => {
      const handled = work.catch(() => {});
      if (!orphans.some((orphan) => orphan.upload === upload)) return void (await handled);
      waiting.push(handled);
      await Promise.race([handled, delay(15)]);
    };
    for (const { what, at, upload: index } of schedule) {
      const upload = uploads[index] as ModelUpload;
      const { id, name, bytes } = upload;
      const bucket = servers[at].client(owner.token).storage.from("media");
      const isBusy = orphans.some((orphan) => orphan.upload === upload);
      switch (what) {
        case "send half":
          await request(upload, patch(upload, at, Math.floor(bytes.length / 2)));
          break;
        case "send all":
          await request(upload, patch(upload, at, bytes.length));
          break;
        case "resume":
          await request(upload, offsetOf(upload, at));
          break;
        case "cancel":
          await request(upload, send(at, "DELETE", `upload/resumable/${id}`, TUS));
          break;
        case "delete":
          await request(upload, bucket.remove([name]));
          break;
        case "restore": {
          const items = [{ kind: "media", id: await inTrash(upload) }];
          await request(upload, (async () => servers[at].client(owner.token).rpc("restore_deleted", { items }))());
          break;
        }
        case "delete forever":
          if (isBusy) break;
          if ((await db.query("delete from storage.objects where version = $1", [id])).changed) upload.isDeleted = true;
          break;
        case "settle":
          await settleAll();
          break;
        case "lose the database":
          await db
            .query(
              "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
            )
            .catch(() => {});
          await settleAll();
          break;
        case "lose the right":
          if (isBusy) break;
          await db.query(
            `update storage.uploads set caller = '{"role": "anon"}' where id = $1 and finished_at is null`,
            [id],
          );
          break;
        case "restart":
          if (orphans.length === 0) await finishUploads(jobs[at]);
          break;
        case "list":
          await discardStrays(jobs[at]);
          break;
        case "sweep":
          await sweep(at);
          break;
        case "wait an hour":
          await wait(1);
          break;
        case "wait a day":
          await wait(25);
          break;
        default: {
          if (isBusy) break;
          const orphan = await die(upload, at, what).catch(() => undefined);
          if (orphan) orphans.push(orphan);
        }
      }
    }
    await settleAll();
    await checkRows(uploads);
    for (const upload of uploads.filter(({ isAcknowledged, isDeleted }) => isAcknowledged && !isDeleted)) {
      const items = [{ kind: "media", id: await inTrash(upload) }];
      await first.client(owner.token).rpc("restore_deleted", { items });
      const response = await send(1, "GET", `object/media/${upload.name}`, {});
      const received = Buffer.from(await response.arrayBuffer());
      expect([response.status, received.equals(upload.bytes)], "an acknowledged upload is readable").toEqual([
        200,
        true,
      ]);
    }
    // The hourly list, a day, and the next sweep.
    await discardStrays(jobs[0]);
    await wait(25);
    await sweep(1);
    await checkRows(uploads);
    const { rows } = await db.query<{ version: string }>("select version from storage.objects");
    const named = new Set(rows.map(({ version }) => version));
    for (const { files } of servers) {
      const unnamed = (await storedVersions(files)).filter((version) => !named.has(version));
      expect(unnamed, "nothing that no row names stays for more than a day").toEqual([]);
    }
    await db.query("delete from storage.objects");
    await wait(25);
    await sweep(0);
  }

  /** Runs so many random schedules. Rejects with the shortest one that breaks the promise. */
  return (runs: number, seed: number) =>
    fc.assert(fc.asyncProperty(anySchedule, run), { numRuns: runs, seed, interruptAfterTimeLimit: 3_600_000 });
}

/** A seed for the schedules: `BYTE_SEED`, or always the same one. */
export const SEED = Number(process.env.BYTE_SEED ?? 31);
