import { normalizeIP } from "@fastify/rate-limit";
import { RequestError } from "../../shared/request-error.ts";
import { SignGuest } from "../../shared/share.ts";
import { endOf, linkById } from "../sharing/links.ts";
import { deviceOf, linkOf, opened } from "../sharing/share-token.ts";
import { endpoint } from "./endpoint.ts";
import { readBody } from "./request-body.ts";

/** Signatures per network address in an hour. All guests of a wedding may share one address. */
const SIGNATURES = 200;
/** Signatures with the same email address in a day. Limited, because each signature causes receipts. */
const ADDRESSES = 10;

/**
 * POST /functions/v1/sign-guest: a visitor of an opened link gives their name, authorised by the link's token. Responds
 * like `open-share`, with a token for that guest. The browser's key identifies the same guest at the next visit.
 */
export const signGuest = endpoint(
  { ownPagesOnly: true, caller: "anyone" },
  async ({ db, tokens, guests, devices, limits, site, caller, request, address }) => {
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
    const link = await linkById(db, entered.id);
    if (!link) throw new RequestError("revoked");
    const end = endOf(link);
    if (end) throw new RequestError(end);
    // Its PIN or rights have changed.
    if (link.version !== entered.version) throw new RequestError("not_opened");
    // Only its account opens it.
    if (link.invitation?.state === "accepted") throw new RequestError("invitation_accepted");
    const guest = await guests.sign(entered, { key: guestKey, name, email, language, timeZone, site });
    return opened(tokens, link, { holder: caller, guest, device });
  },
);
