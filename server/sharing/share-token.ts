import type { Guest, OpenedShare } from "../../shared/share.ts";
import { asCaller, type Caller, VISITOR } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { Link } from "./links.ts";

const LONGEST_SECONDS = 3600;

/** For whom a link is opened. */
interface Visitor {
  holder: Caller;
  guest: Guest | null;
  /** The device that entered the link's secret; undefined for a link without one. */
  device: string | undefined;
}

/**
 * The response to opening a link: a token that expires with the link, and with the session of its caller. A signed-in
 * person is not a guest.
 */
export async function opened(tokens: Tokens, link: Link, { holder, guest, device }: Visitor): Promise<OpenedShare> {
  const sessionLeft = typeof holder.exp === "number" ? holder.exp - Date.now() / 1000 : LONGEST_SECONDS;
  const expiresIn = Math.max(
    1,
    Math.floor(Math.min(LONGEST_SECONDS, sessionLeft, link.seconds_left ?? LONGEST_SECONDS)),
  );
  return {
    token: await tokens.sign(claimsOf(link, { holder, guest, device }), expiresIn),
    expiresIn,
    linkId: link.id,
    version: link.version,
    memoryId: link.memory_id,
    albumId: link.album_id,
    rights: link.rights,
    allowsDownload: link.allows_download,
    moderated: link.moderated,
    showsNames: link.shows_names,
    devicesRemoved: link.devices_removed,
    endsAt: link.expires_at?.toISOString() ?? null,
    guest,
    invitation: link.invitation && { email: link.invitation.email, accepted: link.invitation.state === "accepted" },
  };
}

/**
 * The claims of a share token: identity, authentication level and link, without the session's other claims. Whoever
 * opens a link reads the columns of a visitor without an account, so that nobody is told the ids of other accounts.
 */
function claimsOf(link: Link, { holder, guest, device }: Visitor): Caller {
  const { role, sub, session_id, aal } = holder;
  const share = { link: link.id, version: link.version, ...(device !== undefined && { device }) };
  return role === "authenticated"
    ? { role, aud: role, sub, session_id, aal, share, columns: "anon" }
    : { role: "anon", aud: "anon", share: { ...share, ...(guest && { guest: guest.id }) } };
}

/** The claims of a token. */
type Claims = Readonly<Record<string, unknown>>;

/** Whether any of these tokens, which may have expired, admitted its holder to the link in its current secret. */
export async function wereAdmitted(tokens: Tokens, formerTokens: (string | undefined)[], link: Link): Promise<boolean> {
  for (const token of formerTokens) {
    const claims = token === undefined ? undefined : await tokens.verifyExpired(token).catch(() => undefined);
    if (claims && isAdmitted(claims, link)) return true;
  }
  return false;
}

/** The link and version in a caller's token. */
export function linkOf({ share }: Claims): { id: string; version: number } | undefined {
  const { link, version } = (share ?? {}) as { link?: unknown; version?: unknown };
  return typeof link === "string" && typeof version === "number" ? { id: link, version } : undefined;
}

/** The device in a caller's token. */
export function deviceOf({ share }: Claims): string | undefined {
  const { device } = (share ?? {}) as { device?: unknown };
  return typeof device === "string" ? device : undefined;
}

/** Whether a caller's token is of this link and newer than its secret. */
export function isAdmitted(caller: Claims, link: Link): boolean {
  const entered = linkOf(caller);
  return entered?.id === link.id && entered.version >= link.admitted_since_version;
}

/**
 * The caller for whom a share token is issued: a signed-in person, or a visitor. A session without its required second
 * factor counts as a visitor, because it may see less than a stranger with the same link.
 */
export async function tokenSubject(db: Database, caller: Caller): Promise<Caller> {
  if (caller.role !== "authenticated" || caller.sub === undefined) return VISITOR;
  const { rows } = await asCaller(db, caller, (tx) =>
    tx.query<{ signed_in: boolean }>("select private.has_required_aal() as signed_in"),
  );
  return rows[0]?.signed_in ? caller : VISITOR;
}
