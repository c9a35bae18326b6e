import { createHash, createHmac } from "node:crypto";
import type { Caller } from "../database/as-caller.ts";
import { type Database, queryWhileMoving } from "../database/database.ts";
import { lastingClaims } from "../supabase/storage/signed-url.ts";
import type { Manifest } from "./manifest.ts";

/** How long a prepared download can be fetched and resumed. */
const LIFETIME_SECONDS = 24 * 60 * 60;
/** The maximum number per caller; further ones replace the oldest. */
const MOST_OF_ONE = 10;

export interface Prepared {
  /** The caller for the row policies, with the version of their link. */
  caller: Caller;
  /** That version minus the memories added to the link's album; null without a link. */
  linkState: number | null;
  manifest: Manifest;
  /** Strong: the same tag means the same bytes. Quoted. */
  etag: string;
  madeAt: Date;
}

/**
 * Stores a download for its caller for a day. Resolves to its ticket, the only key to it. The same content and caller
 * always give the same ticket, so that an interrupted download can be resumed.
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
  const share = caller.share as { link?: string; version?: number } | undefined;
  await queryWhileMoving(db, "delete from private.prepared_downloads where expires_at < now()");
  await queryWhileMoving(
    db,
    `insert into private.prepared_downloads (ticket_hash, caller, user_id, link_id, manifest, expires_at, link_state)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6),
       (select version - grown from share_links where id = $4 and version = $7))
     on conflict (ticket_hash) do update set expires_at = excluded.expires_at`,
    [hashOf(ticket), claims, caller.sub ?? null, share?.link ?? null, text, LIFETIME_SECONDS, share?.version ?? null],
  );
  await queryWhileMoving(
    db,
    `delete from private.prepared_downloads where ticket_hash in (
       select ticket_hash from private.prepared_downloads where caller = $1 order by expires_at desc offset $2)`,
    [claims, MOST_OF_ONE],
  );
  return ticket;
}

/** The download of a ticket; undefined for an unknown or expired ticket. */
export async function findPrepared(db: Database, ticket: string): Promise<Prepared | undefined> {
  const { rows } = await db.query<{ caller: Caller; manifest: string; created_at: Date; link_state: number | null }>(
    "select caller, manifest, created_at, link_state from private.prepared_downloads where ticket_hash = $1 and expires_at > now()",
    [hashOf(ticket)],
  );
  return rows.map(({ caller, manifest, created_at, link_state }) => ({
    caller,
    linkState: link_state,
    manifest: JSON.parse(manifest) as Manifest,
    etag: `"${createHash("sha256").update(manifest).digest("base64url")}"`,
    madeAt: created_at,
  }))[0];
}

/**
 * The caller with the current version of their link, if only memories were added to the link's album since the download
 * was prepared: earlier visitors are admitted to these. Undefined if the version is unchanged or anything else changed.
 */
export async function throughGrownAlbum(db: Database, { caller, linkState }: Prepared): Promise<Caller | undefined> {
  const share = caller.share as { link?: string; version?: number } | undefined;
  if (linkState === null || !share?.link) return undefined;
  const { rows } = await db.query<{ version: number }>(
    "select version from share_links where id = $1 and version - grown = $2 and version > $3",
    [share.link, linkState, share.version],
  );
  return rows.map(({ version }) => ({ ...caller, share: { ...share, version } }))[0];
}

const hashOf = (ticket: string) => createHash("sha256").update(ticket).digest("base64url");
