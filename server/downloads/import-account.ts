import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ExportedAccount } from "../../shared/account-export.ts";
import { type Database, isSqlError } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import { ObjectStorageError } from "../files/object-store.ts";
import { from } from "../files/uploads/write-part.ts";
import { checkHtml, cleanHtml } from "../html/html.ts";
import { inspect } from "../supabase/storage/finalize-upload.ts";
import type { Bucket, Facts } from "../supabase/storage/objects.ts";
import { discardBytes, endTombstones } from "../supabase/storage/remove-bytes.ts";
import { ImportError } from "./import-bounds.ts";
import { type StoredFile, writeRows } from "./import-rows.ts";

interface Deps {
  db: Database;
  files: Files;
}

/** The opened ZIP file of an account. */
export interface OpenedExport {
  /** The content of `account.json`. */
  text: string;
  /** A file by its relative path; undefined if missing. */
  open(path: string): Readable | undefined;
}

export interface Imported {
  memories: number;
  files: number;
  /** Paths of missing or damaged files; their items are left out. */
  leftOut: string[];
}

/** The files read so far and their declared bytes, of how many. */
export interface ImportProgress {
  files: number;
  ofFiles: number;
  bytes: number;
  ofBytes: number;
}

interface Options {
  /** Called after each file; the next one is read when it resolves. */
  progress?: (progress: ImportProgress) => void | Promise<void>;
  /** Ends the import, which then leaves nothing. */
  signal?: AbortSignal;
}

type Item = ExportedAccount["memories"][number]["media"][number];
type ExportedFile = Item["file"];

/**
 * Imports an account of another installation into the account with this address: first the bytes, then all rows in one
 * transaction. Everything gets new ids, so that existing content is never replaced. Other people become names without
 * accounts. A refused or stopped import leaves neither rows nor bytes. A killed one leaves no rows, and the sweep removes its
 * bytes.
 */
export async function importAccount(
  { db, files }: Deps,
  email: string,
  { text, open }: OpenedExport,
  { progress, signal }: Options = {},
): Promise<Imported> {
  const account = readExport(text);
  const owner = await ownerWithRoom(db, email, account);
  const renamed = new Map<string, string>();
  const idOf = (old: string) => {
    const newId = renamed.get(old) ?? randomUUID();
    renamed.set(old, newId);
    return newId;
  };
  const { rows: buckets } = await db.query<Bucket>(
    "select id, file_size_limit, allowed_mime_types from storage.buckets",
  );
  const leftOut: string[] = [];
  const stored: StoredFile[] = [];
  const all = filesOf(account);
  const done: ImportProgress = { files: 0, ofFiles: all.length, bytes: 0, ofBytes: sizeOf(all) };
  const paths = new Set<string>();
  let namedAt = Date.now();
  const keep = async (file: ExportedFile, details: Omit<StoredFile, "facts" | "userMetadata">) => {
    signal?.throwIfAborted();
    const { path, metadata, user_metadata } = file;
    const bucket = buckets.find(({ id }) => id === details.bucket);
    // An export contains each file once. Otherwise one file could be stored a million times.
    const bytes = paths.has(path) ? undefined : open(path);
    paths.add(path);
    const facts = bucket && bytes && (await takeIn({ db, files }, bucket, details.version, bytes, metadata));
    if (facts) stored.push({ ...details, facts, userMetadata: user_metadata });
    else leftOut.push(path);
    done.files += 1;
    done.bytes += metadata.size;
    if (Date.now() - namedAt > NAMED_EVERY_MS) {
      await endTombstones(db, stored);
      namedAt = Date.now();
    }
    await progress?.(done);
    return facts !== undefined;
  };
  const readFiles = async () => {
    for (const memory of account.memories) {
      const here: Item[] = [];
      for (const item of memory.media) {
        const id = idOf(item.id);
        const ending = item.file.path.match(/\.\w{1,8}$/)?.[0] ?? "";
        const name = `${idOf(memory.id)}/${id}${ending}`;
        const { mine } = item.author;
        if (!(await keep(item.file, { id, bucket: "media", name, version: randomUUID(), mine }))) continue;
        here.push(item);
        const poster = { id: randomUUID(), bucket: "posters", name: `${name}.jpg`, version: randomUUID(), mine };
        if (item.poster) await keep(item.poster, poster);
      }
      memory.media = here;
      // An export from another installation is untrusted: its HTML is sanitised like any input.
      const clean = (html: string) => {
        checkHtml([html]);
        return cleanHtml(html.replace(ID, (id) => renamed.get(id) ?? id));
      };
      memory.description = clean(memory.description);
      for (const story of memory.stories) story.body = clean(story.body);
    }
    signal?.throwIfAborted();
  };
  await readFiles()
    .then(() => storeRows(db, { owner, account, stored, idOf }))
    .catch(async (error: unknown) => {
      await discardBytes({ db, files }, stored);
      throw isRefusal(error)
        ? new ImportError(`The account was not imported: ${error.message}`, { cause: error })
        : error;
    });
  return { memories: account.memories.length, files: stored.length, leftOut };
}

/** Bytes without a row are removed after a day, and an import may take longer. */
const NAMED_EVERY_MS = 3_600_000;

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Whether the database refused a statement, which explains what is wrong with the import. */
const isRefusal = (error: unknown): error is Error => isSqlError(error) && /^(22|23|42|44|P0|PT)/.test(error.code);

/** How long to wait for PostgreSQL to end the transaction of a lost connection, in milliseconds. */
const ENDING_MS = 60_000;

/**
 * Writes all rows in one transaction. If the connection breaks while PostgreSQL commits, nobody has said whether it did: then
 * it is asked, because importing again would add everything twice.
 */
async function storeRows(db: Database, rows: Parameters<typeof writeRows>[1]): Promise<void> {
  let transactionId: string | undefined;
  try {
    await db.transaction(async (tx) => {
      const current = await tx.query<{ id: string }>("select pg_current_xact_id()::text as id");
      transactionId = current.rows[0]?.id;
      await writeRows(tx, rows);
    });
  } catch (error) {
    if (transactionId === undefined || !(await isCommitted(db, transactionId))) throw error;
  }
}

async function isCommitted(db: Database, transactionId: string): Promise<boolean> {
  for (const end = Date.now() + ENDING_MS; Date.now() < end; await delay(100)) {
    const { rows } = await db
      .query<{ status: string | null }>("select pg_xact_status($1::xid8) as status", [transactionId])
      // The database may be starting again.
      .catch(() => ({ rows: [] }));
    const [row] = rows;
    if (row && row.status !== "in progress") return row.status === "committed";
  }
  throw new ImportError(
    "The connection to the database broke while the account was stored. See whether its memories are there before you import it again.",
  );
}

const filesOf = ({ memories }: ExportedAccount): ExportedFile[] =>
  memories.flatMap(({ media }) => media.flatMap(({ file, poster }) => (poster ? [file, poster] : [file])));

const sizeOf = (list: ExportedFile[]): number => list.reduce((sum, { metadata }) => sum + metadata.size, 0);

/** Resolves to the account with this address, if its plan has room for the import. The database decides again. */
async function ownerWithRoom(db: Database, email: string, account: ExportedAccount): Promise<string> {
  const { rows } = await db.query<{ id: string; bytes: number; memories: number | null }>(
    `select u.id, l.storage_bytes - coalesce(a.stored + a.held, 0) as bytes,
       l.max_memories - (select count(*) from memories m where m.user_id = u.id) as memories
     from auth.users u cross join private.limits_of(u.id) l left join private.account_use a on a.account = u.id
     where lower(u.email) = lower($1)`,
    [email],
  );
  const [owner] = rows;
  if (!owner) throw new ImportError(`Nobody has an account with the address ${email}. Let them sign up first.`);
  if (owner.memories !== null && account.memories.length > Number(owner.memories)) {
    throw new ImportError(`The plan of ${email} has no room for ${account.memories.length} more memories.`);
  }
  const media = account.memories.flatMap((memory) => memory.media.map(({ file }) => file));
  if (sizeOf(media) > Number(owner.bytes)) {
    throw new ImportError(`The plan of ${email} has no room for ${sizeOf(media)} more bytes.`);
  }
  return owner.id;
}

/** Stores a file like an upload, with the type of its content. Undefined if it is damaged or of an unsupported type. */
async function takeIn(
  { db, files }: Deps,
  bucket: Bucket,
  version: string,
  bytes: Readable,
  { size, sha256, cacheControl = "" }: ExportedFile["metadata"],
): Promise<Facts | undefined> {
  const key = { bucket: bucket.id, version };
  const limit = Math.min(size, bucket.file_size_limit ?? size);
  try {
    await files.incoming.write(key, from(bytes), {
      begins: true,
      passing(chunk, written) {
        if (written + chunk.length > limit) throw new ImportError("A file is larger than it declares.");
      },
    });
    const facts = await inspect(files, { bucket, version, cacheControl: cacheControl.replace(/^max-age=/, "") });
    if (facts.size === size && (sha256 === undefined || facts.sha256 === sha256)) {
      await files.incoming.keep(key);
      return facts;
    }
  } catch (error) {
    bytes.destroy();
    await discardBytes({ db, files }, [key]);
    if (error instanceof ObjectStorageError || (error as NodeJS.ErrnoException).syscall) throw error;
    return undefined;
  }
  await discardBytes({ db, files }, [key]);
}

function readExport(text: string): ExportedAccount {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ImportError("The file account.json is damaged.");
  }
  const { data, error } = ExportedAccount.safeParse(content);
  if (data) return data;
  const [issue] = error.issues;
  throw new ImportError(
    `This is no account of Skies, or of a later version: ${issue?.path.join(".")} ${issue?.message}.`,
  );
}
