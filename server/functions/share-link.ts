import { createHash } from "node:crypto";
import type { ShareRights, ShareSecret } from "../../shared/share.ts";
import { asCaller, type Caller, VISITOR } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { BadBearerError, type Identify } from "../supabase/callers.ts";

/** A link as the share gate knows it. */
export interface Link {
  id: string;
  memory_id: string | null;
  album_id: string | null;
  version: number;
  /** Tokens of this version or a later one are let in again without being asked. */
  admitted_since_version: number;
  asks: ShareSecret | null;
  rights: ShareRights;
  allows_download: boolean;
  moderated: boolean;
  shows_names: boolean;
  revoked: boolean;
  expires_at: Date | null;
  /** Seconds until then by the database's clock, negative once it has ended. */
  seconds_left: number | null;
  /** The hash of its PIN or passphrase. */
  secret: string | null;
  /** The invitation whose emails lead to it: it opens by their tokens alone. */
  invitation: { email: string; state: "open" | "accepted" } | null;
}

/**
 * The link of a share id, also one that opens nothing any more; undefined for none, for that of a draft, for one that nobody
 * has shared, and for that of an invitation that is over. What is in the trash counts as revoked.
 */
export const findLink = (db: Database, shareId: string): Promise<Link | undefined> =>
  read(db, "l.share_id = $1", shareId);

/** The same by the link's own id. */
export const linkById = (db: Database, id: string): Promise<Link | undefined> => read(db, "l.id = $1", id);

async function read(db: Database, which: "l.share_id = $1" | "l.id = $1", value: string): Promise<Link | undefined> {
  const { rows } = await db.query<Link>(
    `select l.id, l.memory_id, l.album_id, l.version, l.admitted_since_version, l.asks, l.rights, l.allows_download, l.moderated,
       l.shows_names, coalesce(l.revoked_at, m.deleted_at, a.deleted_at) is not null as revoked, l.expires_at, extract(epoch from l.expires_at - now())::float8 as seconds_left,
       p.hash as secret, case when i.id is not null then jsonb_build_object('email', i.email, 'state', i.state) end as invitation
     from share_links l left join memories m on m.id = l.memory_id
       left join albums a on a.id = l.album_id left join share_pins p on p.link_id = l.id
       left join invitations i on i.id = l.invitation_id
     where ${which} and l.shared_at is not null and (m.draft is not true or m.deleted_at is not null)
       and (i.id is null or i.state in ('open', 'accepted') and l.revoked_at is null and l.expires_at > now())`,
    [value],
  );
  return rows[0];
}

/** What the share gate asks of somebody who has nothing but the address; null where it may be open. */
export async function asksFor(db: Database, shareId: string): Promise<ShareSecret | null> {
  const link = await findLink(db, shareId);
  // Without its email, the link of an invitation is one that does not exist; and one that does not asks for a PIN.
  if (!link || link.invitation) return "pin";
  return link.secret === null ? null : link.asks;
}

/** Whether an email with this token leads to a link; asked with the same work of none. Only the token's hash is kept. */
export async function isInvited(db: Database, link: Link | undefined, token: string): Promise<boolean> {
  const { rows } = await db.query<{ invited: boolean }>("select private.is_invited($1, $2) as invited", [
    link?.id ?? null,
    createHash("sha256").update(token).digest("hex"),
  ]);
  return rows[0]?.invited === true;
}

/** For whom a bearer speaks. One that has ended is the same as none: there is still the PIN. */
export async function optionalCaller(identify: Identify, authorization: string | undefined): Promise<Caller> {
  if (!authorization) return VISITOR;
  try {
    return await identify({ authorization });
  } catch (error) {
    if (error instanceof BadBearerError) return VISITOR;
    throw error;
  }
}

/** The link, and its version, that a caller's token names. */
export function linkOf({ share }: Caller): { id: string; version: number } | undefined {
  const { link, version } = (share ?? {}) as { link?: unknown; version?: unknown };
  return typeof link === "string" && typeof version === "number" ? { id: link, version } : undefined;
}

/** Whether a caller's token was given by this link since its secret last changed. */
export function isAdmitted(caller: Caller, link: Link): boolean {
  const entered = linkOf(caller);
  return entered?.id === link.id && entered.version >= link.admitted_since_version;
}

/**
 * Whom a token opened by this caller speaks for: a signed-in person as themselves, all others as nobody. Who has still to
 * verify their second factor is nobody too, as signed in they would see less than a stranger with the same link.
 */
export async function tokenSubject(db: Database, caller: Caller): Promise<Caller> {
  if (caller.role !== "authenticated" || caller.sub === undefined) return VISITOR;
  const { rows } = await asCaller(db, caller, (tx) =>
    tx.query<{ signed_in: boolean }>("select private.has_required_aal() as signed_in"),
  );
  return rows[0]?.signed_in ? caller : VISITOR;
}
