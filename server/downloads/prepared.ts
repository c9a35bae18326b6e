import { createHash, createHmac } from "node:crypto";
import type { Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { lastingClaims } from "../supabase/storage/signed-url.ts";
import type { Manifest } from "./manifest.ts";

/** How long a download can be fetched and gone on with. */
const LIFETIME_SECONDS = 24 * 60 * 60;
/** More than anybody has under way; the oldest of one caller make room. */
const MOST_OF_ONE = 10;

export interface Prepared {
  caller: Caller;
  manifest: Manifest;
  /** Strong: the same tag means the same bytes. Quoted. */
  etag: string;
  madeAt: Date;
}

/**
 * Keeps a download for its caller for a day. Resolves to its ticket, the only key to it: the same content gives the same
 * caller the same one again, so that a download broken off an hour ago goes on.
 */
export async function keepPrepared(
  db: Database,
  secret: Uint8Array,
  caller: Caller,
  manifest: Manifest,
): Promise<string> {
  const text = JSON.stringify(manifest);
  const claims = JSON.stringify(lastingClaims(caller));
  const ticket = createHmac("sha256", secret).update(`${claims.length} ${claims}${text}`).digest("base64url");
  const share = caller.share as { link?: string } | undefined;
  await db.query("delete from private.prepared_downloads where expires_at < now()");
  await db.query(
    `insert into private.prepared_downloads (ticket_hash, caller, user_id, link_id, manifest, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     on conflict (ticket_hash) do update set expires_at = excluded.expires_at`,
    [hashOf(ticket), claims, caller.sub ?? null, share?.link ?? null, text, LIFETIME_SECONDS],
  );
  await db.query(
    `delete from private.prepared_downloads where ticket_hash in (
       select ticket_hash from private.prepared_downloads where caller = $1 order by expires_at desc offset $2)`,
    [claims, MOST_OF_ONE],
  );
  return ticket;
}

/** What a ticket stands for; undefined for one that nobody was given, or whose day is over. */
export async function findPrepared(db: Database, ticket: string): Promise<Prepared | undefined> {
  const { rows } = await db.query<{ caller: Caller; manifest: string; created_at: Date }>(
    "select caller, manifest, created_at from private.prepared_downloads where ticket_hash = $1 and expires_at > now()",
    [hashOf(ticket)],
  );
  return rows.map(({ caller, manifest, created_at }) => ({
    caller,
    manifest: JSON.parse(manifest) as Manifest,
    etag: `"${createHash("sha256").update(manifest).digest("base64url")}"`,
    madeAt: created_at,
  }))[0];
}

const hashOf = (ticket: string) => createHash("sha256").update(ticket).digest("base64url");
