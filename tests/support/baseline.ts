import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Transaction } from "../../server/database/database.ts";
import type { MigrationSet } from "../../server/database/migrate.ts";
import { makeWorld, type World } from "./world.ts";

/** The rows of every table, without generated columns. */
export type Contents = Record<string, Record<string, unknown>[]>;

/** A version of the schema with a database of that version. */
export interface Baseline {
  /** Each migration of that version, with a hash of its text. */
  migrations: Record<string, string>;
  /** The statements of that version's server. */
  statements: string[];
  rows: Contents;
}

/** The files of migration sets by name, as `product/0001_basics.sql`, with a hash of each. */
export async function hashesOf(sets: MigrationSet[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name, folder } of sets) {
    for (const file of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
      const text = await readFile(join(folder, file), "utf8");
      hashes[`${name}/${file}`] = createHash("sha256").update(text).digest("hex");
    }
  }
  return hashes;
}

interface Table {
  name: string;
  columns: string[];
}

const tablesOf = async (db: Transaction) =>
  (
    await db.query<Table>(`
      select format('%I.%I', n.nspname, c.relname) as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'migrations')
      group by c.oid, n.nspname, c.relname order by 1`)
  ).rows;

const quoted = (columns: string[]) => columns.map((column) => `"${column}"`).join(", ");

/** All rows of a database, ordered by their text so that two databases can be compared. */
export async function readContents(db: Transaction): Promise<Contents> {
  const contents: Contents = {};
  for (const { name, columns } of await tablesOf(db)) {
    const { rows } = await db.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from (select ${quoted(columns)} from ${name}) t order by to_jsonb(t)::text collate "C"`,
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

/** Replaces all rows of a database with the same schema, without triggers, and checks every foreign key. */
export async function writeContents(db: Database, contents: Contents): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = 'replica'");
    const tables = await tablesOf(db);
    await tx.exec(`truncate ${tables.map(({ name }) => name).join(", ")}`);
    for (const { name, columns } of tables) {
      await tx.query(
        `insert into ${name} (${quoted(columns)}) overriding system value
         select ${quoted(columns)} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [JSON.stringify(contents[name] ?? [])],
      );
    }
    await tx.exec("set local session_replication_role = 'origin'");
    await tx.exec(`
      do $$
      declare
        key record;
      begin
        for key in select conrelid::regclass as relation, conname, pg_get_constraintdef(oid) as definition
          from pg_constraint where contype = 'f' loop
          execute format('alter table %s drop constraint %I, add constraint %2$I %s', key.relation, key.conname, key.definition);
        end loop;
      end
      $$`);
  });
}

/** Lists to whose end an upgrade may add: buckets accept further types. */
const APPENDED: Record<string, string | undefined> = { "storage.buckets": "allowed_mime_types" };

/** As many values of a list as an earlier one has. */
const begin = (list: unknown, earlier: unknown) =>
  Array.isArray(list) && Array.isArray(earlier) ? list.slice(0, earlier.length) : list;

/**
 * What an upgrade lost or changed: missing tables, and rows with other values. Dropped and added columns are ignored.
 */
export function differences(before: Contents, after: Contents): string[] {
  return Object.entries(before).flatMap(([table, rows]) => {
    const rowsAfter = after[table];
    if (!rowsAfter) return [`${table} is gone`];
    if (rowsAfter.length < rows.length) return [`${table} had ${rows.length} rows and has ${rowsAfter.length}`];
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (rowsAfter[0] ?? {}));
    const textOf = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => row[column]));
    const list = APPENDED[table];
    const remaining = new Set(rowsAfter.map(textOf));
    const isKept = (row: Record<string, unknown>) =>
      remaining.has(textOf(row)) ||
      (list !== undefined &&
        rowsAfter.some((later) => textOf({ ...later, [list]: begin(later[list], row[list]) }) === textOf(row)));
    return rows.filter((row) => !isKept(row)).map((row) => `${table} had ${JSON.stringify(row)}`);
  });
}

/** Adds at least one row to every table of a new database, through normal use; resolves to the people and ids. */
export async function fillEveryTable(db: Database): Promise<World> {
  const world = await makeWorld(db);
  const [session, factor, flow] = [randomUUID(), randomUUID(), randomUUID()];
  const day = "now() + interval '1 day'";
  const add = (row: string, ...values: unknown[]) => db.query(`insert into ${row}`, values);
  await add("auth.sessions (id, user_id) values ($1, $2)", session, world.ada);
  await add("auth.mfa_amr_claims (session_id, authentication_method) values ($1, 'password')", session);
  await add("auth.refresh_tokens (token, user_id, session_id) values ('hash', $1, $2)", world.ada, session);
  await add("auth.mfa_factors (id, user_id, factor_type, secret) values ($1, $2, 'totp', 'sealed')", factor, world.ada);
  await add(`auth.mfa_challenges (factor_id, session_id, expires_at) values ($1, $2, ${day})`, factor, session);
  await add(
    "auth.identities (provider_id, user_id, identity_data, provider) values ('1', $1, '{}', 'email')",
    world.ada,
  );
  await add("auth.known_devices (user_id, device) values ($1, 'phone')", world.ada);
  await add(
    `auth.flow_state (id, code_challenge_method, code_challenge, provider_type, authentication_method)
     values ($1, 's256', 'challenge', 'email', 'otp')`,
    flow,
  );
  await add(
    "auth.oauth_client_states (id, provider_type, redirect_to, flow_state_id) values ($1, 'google', '/', $2)",
    randomUUID(),
    flow,
  );
  await add(
    `auth.one_time_tokens (user_id, token_type, code_hash, relates_to, expires_at)
     values ($1, 'recovery_token', 'hash', 'ada@example.com', ${day})`,
    world.ada,
  );
  await add(`auth.attempts (key, count, ends_at) values ('key', 1, ${day})`);
  await add("auth.signing_keys (id, public_jwk, sealed_private_jwk, status) values ('key', '{}', 'sealed', 'active')");
  await add("storage.uploads (id, bucket_id, name, size, caller) values ('upload', 'spare', 'a.jpg', 1, '{}')");
  await add("storage.discarded (version, bucket_id) values ('version', 'spare') on conflict do nothing");
  await add("private.content_sources (link_id, media_id) values ($1, $2)", world.openLinkId, world.objectId);
  await add("private.correspondents (user_id, email) values ($1, 'guest@example.com')", world.ada);
  await add("private.guest_keys (hash, guest_id) values ('key', $1)", world.guestId);
  await add("private.letter_keys (letter_id, hash) values ($1, repeat('0', 64))", world.letterId);
  await add(
    `private.outbox (kind, template, language, recipient) values ('mail', 'guest-receipt', 'en', 'guest@example.com')`,
  );
  await add("private.guest_receipts (guest_id, outbox_id) select $1, id from private.outbox", world.guestId);
  await add("private.invitation_tokens (hash, link_id) values ($1, $2)", "0".repeat(64), world.openLinkId);
  await add(
    "private.measured_files (object_id, form, version, type) values ($1, 'original', 'v', 'image/jpeg')",
    world.objectId,
  );
  for (const claims of ["private.media_claims", "private.playback_claims"]) {
    await add(`${claims} (media_id, until) values ($1, '-infinity')`, world.objectId);
  }
  await add("private.web_files (path, type, bytes) values ('assets/a.js', 'text/javascript', 'a')");
  await add("private.read_back (finished_at, bytes_per_day) values (now(), 1)");
  await add(
    "private.damaged_files (object_id, version, kind) select id, version, 'missing' from storage.objects where id = $1",
    world.objectId,
  );
  await add("private.backup_places (place, newest_at) values ('/backups', now())");
  await add("private.job_leases (job, until) values ('figures', now())");
  await add("private.video_copies (media_id) values ($1)", world.objectId);
  await add("private.work (kind, subject) values ('motions', $1)", world.objectId);
  await add(
    "private.notice_mail (user_id, memory_id, mailed_at, letter) values ($1, $2, now(), 'letter')",
    world.ada,
    world.memoryId,
  );
  await add("private.push_times (user_id, memory_id, pushed_at) values ($1, $2, now())", world.ada, world.memoryId);
  await add("private.push_key (public_key, sealed_private_key) values ('public', 'sealed')");
  await add("private.payment_events (id, type, created) values ('event', 'checkout.session.completed', now())");
  await add(
    `private.prepared_downloads (ticket_hash, caller, manifest, expires_at) values ('ticket', '{}', '{}', ${day})`,
  );
  await add(`private.share_attempts (key, forget_at) values ('address:key', ${day})`);
  return world;
}
