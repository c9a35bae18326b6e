import { createHash } from "node:crypto";
import type { ShareRights, ShareSecret } from "../../shared/share.ts";
import type { Database } from "../database/database.ts";

/** A link's columns for the share gate. */
export interface Link {
  id: string;
  memory_id: string | null;
  album_id: string | null;
  version: number;
  /** Tokens of this version or a later one are accepted without the secret. */
  admitted_since_version: number;
  asks: ShareSecret | null;
  rights: ShareRights;
  allows_download: boolean;
  moderated: boolean;
  shows_names: boolean;
  devices_removed: number;
  revoked: boolean;
  expires_at: Date | null;
  /** Seconds until the expiry by the database's clock; negative after it. */
  seconds_left: number | null;
  /** The hash of its PIN or passphrase. */
  secret: string | null;
  /** The link's invitation: it opens only by tokens of its emails, and once accepted only for that account. */
  invitation: { email: string; state: "open" | "accepted"; acceptedBy: string | null } | null;
}

/**
 * The link of a share id, including expired and closed ones; undefined for an unknown id, a draft's link, a link that
 * was never shared, and one of a closed invitation. Links of deleted memories count as revoked.
 */
export const findLink = (db: Database, shareId: string): Promise<Link | undefined> =>
  read(db, "l.share_id = $1", shareId);

/** {@link findLink} by the link's own id. */
export const linkById = (db: Database, id: string): Promise<Link | undefined> => read(db, "l.id = $1", id);

async function read(db: Database, which: "l.share_id = $1" | "l.id = $1", value: string): Promise<Link | undefined> {
  const { rows } = await db.query<Link>(
    `select l.id, l.memory_id, l.album_id, l.version, l.admitted_since_version, l.asks, l.rights, l.allows_download, l.moderated,
       l.shows_names, v.devices_removed, coalesce(l.revoked_at, m.deleted_at, a.deleted_at) is not null as revoked, l.expires_at, extract(epoch from l.expires_at - now())::float8 as seconds_left,
       p.hash as secret, case when i.id is not null then jsonb_build_object('email', i.email, 'state', i.state, 'acceptedBy', i.accepted_by) end as invitation
     from share_links l left join memories m on m.id = l.memory_id
       left join albums a on a.id = l.album_id left join share_pins p on p.link_id = l.id
       left join invitations i on i.id = l.invitation_id join link_versions v on v.link_id = l.id
     where ${which} and l.shared_at is not null and (m.draft is not true or m.deleted_at is not null)
       and (i.id is null or i.state in ('open', 'accepted') and l.revoked_at is null and l.expires_at > now())`,
    [value],
  );
  return rows[0];
}

/** The secret that the share gate requires; null for none. */
export async function asksFor(db: Database, shareId: string): Promise<ShareSecret | null> {
  const link = await findLink(db, shareId);
  // Missing links seem to have a PIN. An invitation's has none, also after the invitation has ended.
  if (!link || link.invitation) return (await isInvitationLink(db, shareId)) ? null : "pin";
  return link.secret === null ? null : link.asks;
}

/** Why a link opens its content to nobody; undefined if it does. */
export function endOf({ revoked, seconds_left }: Link): "revoked" | "expired" | undefined {
  if (revoked) return "revoked";
  return seconds_left !== null && seconds_left <= 0 ? "expired" : undefined;
}

/** Whether a link no longer opens for those who were admitted: it was revoked or has expired, or its invitation ended. */
export async function hasEnded(db: Database, shareId: string): Promise<boolean> {
  const link = await findLink(db, shareId);
  return !link || endOf(link) !== undefined;
}

/** Whether a share id is that of an invitation's emails, also of an invitation that has ended. */
export async function isInvitationLink(db: Database, shareId: string): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>("select private.is_invitation_link($1) as is", [shareId]);
  return rows[0]?.is === true;
}

/** Whether an email's token opens a link, with the same work for a missing link. Only the token's hash is stored. */
export async function isInvited(db: Database, link: Link | undefined, token: string): Promise<boolean> {
  const { rows } = await db.query<{ invited: boolean }>("select private.is_invited($1, $2) as invited", [
    link?.id ?? null,
    createHash("sha256").update(token).digest("hex"),
  ]);
  return rows[0]?.invited === true;
}
