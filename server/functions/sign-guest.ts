import { normalizeIP } from "@fastify/rate-limit";
import { RequestError } from "../../shared/request-error.ts";
import { SignGuest } from "../../shared/share.ts";
import type { Database } from "../database/database.ts";
import type { Limits } from "../supabase/auth/limits.ts";
import type { Identify } from "../supabase/callers.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { Guests } from "./guests.ts";
import type { LinkDevices } from "./link-devices.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";
import { deviceOf, linkById, linkOf } from "./share-link.ts";
import { opened } from "./share-token.ts";

interface Deps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  guests: Guests;
  devices: LinkDevices;
  limits: Limits;
  /** The site's URL. */
  site: string;
}

/** Signatures per network address in an hour. All guests of a wedding may share one address. */
const SIGNATURES = 200;
/** Signatures with the same email address in a day. Limited, because each signature causes receipts. */
const ADDRESSES = 10;

/**
 * POST /functions/v1/sign-guest: a visitor of an opened link gives their name, authorised by the link's token. Responds
 * like `open-share`, with a token for that guest. The browser's key identifies the same guest at the next visit.
 */
export const signGuest =
  ({ db, tokens, identify, guests, devices, limits, site }: Deps): ServerFunction =>
  async (request, { address }) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    if (caller.role !== "anon") throw new RequestError("signed_in");
    const entered = linkOf(caller);
    if (!entered) throw new RequestError("not_opened");
    const { guestKey, name, email = null, language, timeZone } = await readBody(request, SignGuest);
    const allowances = [{ key: `guests from ${normalizeIP(address)}`, most: SIGNATURES, seconds: 3600 }];
    if (email !== null) {
      allowances.push({ key: `guests called at ${email.toLowerCase()}`, most: ADDRESSES, seconds: 86_400 });
    }
    await limits.spend(allowances);

    const device = deviceOf(caller);
    if (device !== undefined && !(await devices.exists({ id: entered.id }, device)))
      throw new RequestError("not_opened");
    const guest = await guests.sign(entered, { key: guestKey, name, email, language, timeZone, site });
    const link = await linkById(db, entered.id);
    if (!link || link.version !== entered.version) {
      throw new RequestError("revoked");
    }
    return Response.json(await opened(tokens, link, { holder: caller, guest, device }), {
      headers: { "cache-control": "no-store" },
    });
  };
