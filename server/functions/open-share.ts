import { Refusal } from "../../shared/refusal.ts";
import { type OpenedShare, OpenShare } from "../../shared/share.ts";
import { VISITOR } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { BadBearer, type Identify } from "../supabase/callers.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { ServerFunction } from "./mount.ts";
import type { PinHash } from "./pin-hash.ts";
import { readBody } from "./request-body.ts";
import type { ShareTries } from "./share-tries.ts";

interface Deps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  pins: PinHash;
  tries: ShareTries;
}

interface Link {
  id: string;
  memory_id: string;
  version: number;
  pin: string | null;
}

const TOKEN_SECONDS = 3600;

/**
 * POST /functions/v1/open-share: gives whoever holds a link, and its PIN where it has one, a token for what it opens.
 * A link that does not exist, or whose memory is a draft, is answered word for word as one whose PIN is wrong.
 */
export const openShare =
  ({ db, tokens, identify, pins, tries }: Deps): ServerFunction =>
  async (request, { address }) => {
    const { shareId, pin } = await readBody(request, OpenShare);
    const link = await findLink(db, shareId);
    if (link && (link.pin === null || (await holdsToken(identify, request, link)))) return opened(tokens, link);
    if (pin === undefined) throw new Refusal(401, "This link asks for a PIN.", "pin_required");

    const attempt = await tries.begin(shareId, address);
    const lockedUntil = attempt.lockedUntil?.toISOString() ?? null;
    if (!attempt.allowed) {
      throw new Refusal(429, "Too many wrong PINs. Please try again later.", "locked", { lockedUntil });
    }
    const right = await pins.matches(link?.pin ?? undefined, pin);
    if (!link || !right) {
      const { triesLeft } = attempt;
      throw new Refusal(401, "This is not the PIN of this link.", "pin_wrong", { triesLeft, lockedUntil });
    }
    await tries.giveBack(shareId, address);
    return opened(tokens, link);
  };

async function findLink(db: Database, shareId: string): Promise<Link | undefined> {
  const { rows } = await db.query<Link>(
    `select l.id, l.memory_id, l.version, p.hash as pin
     from share_links l join memories m on m.id = l.memory_id and not m.draft left join share_pins p on p.link_id = l.id
     where l.share_id = $1 and l.revoked_at is null and coalesce(l.expires_at > now(), true)`,
    [shareId],
  );
  return rows[0];
}

/** Whether the request carries a token that this very link, as it is now, still honours. */
async function holdsToken(identify: Identify, request: Request, link: Link): Promise<boolean> {
  const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined }).catch(
    (error: unknown) => {
      // A token that has ended is the same as none: there is still the PIN.
      if (error instanceof BadBearer) return VISITOR;
      throw error;
    },
  );
  const share = caller.share as { link?: unknown; version?: unknown } | undefined;
  return share?.link === link.id && share.version === link.version;
}

async function opened(tokens: Tokens, link: Link): Promise<Response> {
  const share = { link: link.id, version: link.version };
  const reply: OpenedShare = {
    token: await tokens.sign({ role: "anon", aud: "anon", share }, TOKEN_SECONDS),
    expiresIn: TOKEN_SECONDS,
    memoryId: link.memory_id,
    linkId: link.id,
  };
  return Response.json(reply, { headers: { "cache-control": "no-store" } });
}
