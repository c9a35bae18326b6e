import type { Guest, OpenedShare } from "../../shared/share.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { Link } from "./share-link.ts";

const LONGEST_SECONDS = 3600;

/**
 * The response to opening a link: a token that expires with the link, and with the session of its caller. A signed-in
 * person is not a guest.
 */
export async function opened(tokens: Tokens, link: Link, holder: Caller, guest: Guest | null): Promise<OpenedShare> {
  const sessionLeft = typeof holder.exp === "number" ? holder.exp - Date.now() / 1000 : LONGEST_SECONDS;
  const expiresIn = Math.max(
    1,
    Math.floor(Math.min(LONGEST_SECONDS, sessionLeft, link.seconds_left ?? LONGEST_SECONDS)),
  );
  return {
    token: await tokens.sign(claimsOf(link, holder, guest), expiresIn),
    expiresIn,
    linkId: link.id,
    version: link.version,
    memoryId: link.memory_id,
    albumId: link.album_id,
    rights: link.rights,
    allowsDownload: link.allows_download,
    moderated: link.moderated,
    showsNames: link.shows_names,
    endsAt: link.expires_at?.toISOString() ?? null,
    guest,
    invitation: link.invitation && { email: link.invitation.email, accepted: link.invitation.state === "accepted" },
  };
}

/** The claims of a share token: identity, authentication level and link, without the session's other claims. */
function claimsOf(link: Link, { role, sub, session_id, aal }: Caller, guest: Guest | null): Caller {
  const share = { link: link.id, version: link.version };
  return role === "authenticated"
    ? { role, aud: role, sub, session_id, aal, share }
    : { role: "anon", aud: "anon", share: { ...share, ...(guest && { guest: guest.id }) } };
}
