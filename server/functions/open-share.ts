import { type DeviceKind, deviceKind } from "../../shared/device-kind.ts";
import { RequestError } from "../../shared/request-error.ts";
import { type OpenedShare, OpenShare, type ShareSecret } from "../../shared/share.ts";
import { type Caller, VISITOR } from "../database/as-caller.ts";
import { type Database, queryWhileMoving } from "../database/database.ts";
import type { Identify } from "../supabase/callers.ts";
import type { Tokens } from "../supabase/tokens.ts";
import { deviceKeys, keepDeviceKey } from "./device-cookie.ts";
import type { ReadFirstScreen } from "./first-screen.ts";
import { isSecure } from "./forget-device.ts";
import type { Guests } from "./guests.ts";
import { type LinkDevices, newDeviceKey } from "./link-devices.ts";
import type { ServerFunction } from "./mount.ts";
import type { PinHash } from "./pin-hash.ts";
import { readBody } from "./request-body.ts";
import { type AttemptLimiter, lockedRefusal } from "./share-attempts.ts";
import {
  deviceOf,
  findLink,
  isAdmitted,
  isInvitationLink,
  isInvited,
  type Link,
  optionalCaller,
  tokenSubject,
  wereAdmitted,
} from "./share-link.ts";
import { opened } from "./share-token.ts";

interface Deps {
  db: Database;
  tokens: Tokens;
  identify: Identify;
  pins: PinHash;
  tries: AttemptLimiter;
  guests: Guests;
  devices: LinkDevices;
  firstScreen: ReadFirstScreen;
  /** The site's URL; undefined to take it from each request. */
  site: string | undefined;
}

/**
 * POST /functions/v1/open-share: opens a link, with its PIN or passphrase if it has one. Responds with a token for the
 * link's content and, with `screen`, the data of the first screen. The link of an invitation requires the token of one
 * of its emails and, once accepted, the account that accepted it; without a token it is called incomplete. A missing link and a draft's link get the same response as a wrong PIN. Only a caller who would have
 * been admitted learns that a link was revoked or has expired; nobody learns that they are blocked.
 */
export const openShare =
  ({ db, tokens, identify, pins, tries, guests, devices, firstScreen, site }: Deps): ServerFunction =>
  async (request, { address }) => {
    const {
      shareId,
      held: previousToken,
      guestKey,
      invitation,
      screen,
      language,
      ...given
    } = await readBody(request, OpenShare);
    const caller = await optionalCaller(identify, request.headers.get("authorization") ?? undefined);
    const before = previousToken === undefined ? undefined : await optionalCaller(identify, `Bearer ${previousToken}`);
    const found = await findLink(db, shareId);
    // For a blocked person the link does not exist. The check also runs for missing links, to take the same time.
    const isBlocked = await guests.isBlocked(found?.id, { ...named([caller, before]), key: guestKey });
    const unblocked = isBlocked ? undefined : found;
    const holder = await tokenSubject(db, caller);
    const isTaken = unblocked?.invitation?.state === "accepted" && unblocked.invitation.acceptedBy !== holder.sub;
    // An accepted invitation exists only for its account. Others who hold its email learn that they must sign in.
    if (isTaken && invitation !== undefined && (await isInvited(db, unblocked, invitation)))
      throw new RequestError("invitation_accepted");
    const known = isTaken ? undefined : unblocked;
    const again = known !== undefined && (await wasLetIn(known));
    const key = deviceKeys(request.headers.get("cookie")).get(shareId);
    const device = known && key !== undefined ? await devices.find(known, key) : undefined;
    const stays = device?.admitted === true;
    const isOpen = known !== undefined && known.secret === null && known.invitation === null;
    // Tokens expire with their link, so people whose page it closes hold only an expired one.
    const bearer = request.headers.get("authorization")?.replace(/^Bearer\s+/i, "");
    const isOver = known !== undefined && endOf(known) !== undefined;
    const wasAdmitted = isOver && (await wereAdmitted(tokens, [previousToken, bearer], known));
    const link = known && (isOpen || again || stays || wasAdmitted) ? known : await askFor(known);
    const end = endOf(link);
    if (end) throw new RequestError(end);
    // A visit that continues is not counted again.
    if (!again) {
      await noteOpening(db, link.id, { person: holder.sub, device: deviceKind(request.headers.get("user-agent")) });
    }
    const guest = holder.sub === undefined && guestKey ? await guests.find(link.id, guestKey) : null;
    const headers = new Headers(HEADERS);
    const answer = await opened(tokens, link, { holder, guest, device: await stayAdmitted(link) });
    const options = { site: site ?? new URL(request.url).origin, address, language, hasAccount: holder !== VISITOR };
    const json = screen ? await firstScreen(answer, options) : undefined;
    return new Response(json ? withScreen(answer, json) : JSON.stringify(answer), { headers });

    async function wasLetIn(link: Link): Promise<boolean> {
      for (const one of [caller, before]) {
        if (one && isAdmitted(one, link) && (await isStillThere(link, deviceOf(one)))) return true;
      }
      return false;
    }

    async function isStillThere(link: Link, id: string | undefined): Promise<boolean> {
      return id === undefined || (await devices.exists(link, id));
    }

    /** Adds the device to those that stay admitted without the secret, unless the token names it. Resolves to its id. */
    async function stayAdmitted(link: Link): Promise<string | undefined> {
      if (link.secret === null || link.invitation !== null) return undefined;
      const named = deviceOf(caller) ?? (before && deviceOf(before));
      if (again && named !== undefined && (await devices.exists(link, named))) return named;
      const ownKey = key ?? newDeviceKey();
      const id = await devices.admit(link, ownKey, request.headers.get("user-agent"));
      if (id !== undefined) keepDeviceKey(headers, shareId, ownKey, { secure: isSecure(site, request) });
      return id;
    }

    async function askFor(link: Link | undefined): Promise<Link> {
      if (invitation !== undefined) return checkInvitation(link, invitation);
      // There is no PIN to ask for. Its holder has a part of the email's link.
      if (!isBlocked && (await isInvitationLink(db, shareId))) throw new RequestError("invitation_incomplete");
      return askForSecret(link);
    }

    /** Not counted: a token has 244 random bits, and a count could lock out the recipient of the email. */
    async function checkInvitation(link: Link | undefined, token: string): Promise<Link> {
      if (!(await isInvited(db, link, token)) || !link) throw new RequestError("invitation_unknown");
      return link;
    }

    async function askForSecret(link: Link | undefined): Promise<Link> {
      // Share ids cannot be guessed, so only a holder of the link learns that it has a passphrase.
      const asks: ShareSecret = link?.asks ?? "pin";
      const secret = given.pin ?? given.passphrase;
      if (secret === undefined)
        throw new RequestError("pin_required", { message: `This link asks for a ${WORD[asks]}.`, details: { asks } });

      const attempt = await tries.begin(shareId, address, device?.id);
      if (!attempt.allowed) throw lockedRefusal(attempt, "Too many wrong attempts. Please try again later.", { asks });
      const lockedUntil = attempt.lockedUntil?.toISOString() ?? null;
      const right = await pins.matches((given[asks] !== undefined && link?.secret) || undefined, secret);
      if (!link || !right) {
        const { triesLeft } = attempt;
        throw new RequestError("pin_wrong", {
          message: `This is not the ${WORD[asks]} of this link.`,
          details: {
            triesLeft,
            lockedUntil,
            asks,
          },
        });
      }
      await attempt.refund();
      return link;
    }
  };

const HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** The response with the JSON text of its first screen, which is not parsed again. */
const withScreen = (answer: OpenedShare, screen: string) =>
  `${JSON.stringify(answer).slice(0, -1)},"screen":${screen}}`;

/** The accounts and guests of these callers. */
const named = (callers: (Caller | undefined)[]) => ({
  people: callers.flatMap((caller) => (caller?.role === "authenticated" && caller.sub ? [caller.sub] : [])),
  guests: callers.flatMap((caller) => {
    const guest = (caller?.share as { guest?: unknown } | undefined)?.guest;
    return typeof guest === "string" ? [guest] : [];
  }),
});

/** Why a link opens its content to nobody; undefined if it does. */
function endOf({ revoked, seconds_left }: Link): "revoked" | "expired" | undefined {
  if (revoked) return "revoked";
  return seconds_left !== null && seconds_left <= 0 ? "expired" : undefined;
}

const WORD: Record<ShareSecret, string> = { pin: "PIN", passphrase: "passphrase" };

/** Records the opening of a link for its managers: the hour, the device, and the person only if they were signed in. */
async function noteOpening(db: Database, linkId: string, by: { person?: string; device: DeviceKind }) {
  await queryWhileMoving(
    db,
    `insert into share_openings as known (link_id, user_id, device) values ($1, $2, $3)
     on conflict on constraint one_row_an_hour do update set times = known.times + 1`,
    [linkId, by.person ?? null, by.device],
  );
}
