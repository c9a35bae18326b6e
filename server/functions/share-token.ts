import type { Guest, OpenedShare } from "../../shared/share.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { Link } from "./share-link.ts";

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

/** The claims of a share token: identity, authentication level and link, without the session's other claims. */
function claimsOf(link: Link, { holder, guest, device }: Visitor): Caller {
  const { role, sub, session_id, aal } = holder;
  const share = { link: link.id, version: link.version, ...(device !== undefined && { device }) };
  return role === "authenticated"
    ? { role, aud: role, sub, session_id, aal, share }
    : { role: "anon", aud: "anon", share: { ...share, ...(guest && { guest: guest.id }) } };
}
