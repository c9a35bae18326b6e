import { RequestError } from "../../shared/request-error.ts";
import type { ShareSecret } from "../../shared/share.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Tokens } from "../supabase/tokens.ts";
import type { Guests } from "./guests.ts";
import type { LinkDevices } from "./link-devices.ts";
import { endOf, findLink, isInvitationLink, isInvited, type Link, linkById } from "./links.ts";
import type { PinHash } from "./pin-hash.ts";
import { type AttemptLimiter, lockedRefusal } from "./share-attempts.ts";
import { deviceOf, isAdmitted, linkOf, tokenSubject, wereAdmitted } from "./share-token.ts";

export interface AdmissionDeps {
  db: Database;
  tokens: Tokens;
  guests: Guests;
  devices: LinkDevices;
  pins: PinHash;
  shareAttempts: AttemptLimiter;
}

/** A request to open a link. */
export interface Opening {
  shareId: string;
  /** The caller of the request, and the holder of the link's token from an earlier visit. */
  caller: Caller;
  earlierCaller: Caller | undefined;
  /** The tokens of both, which may have expired. */
  tokens: (string | undefined)[];
  /** The key of the browser's guest, and the one of its device, which stays admitted. */
  guestKey: string | undefined;
  deviceKey: string | undefined;
  /** The token of an invitation's email. */
  invitation: string | undefined;
  /** What was entered. */
  secrets: Readonly<Partial<Record<ShareSecret, string | undefined>>>;
  /** The network address, for the count of wrong attempts. */
  address: string;
}

export interface Admission {
  link: Link;
  /** For whom the link opens: a signed-in person, or a visitor. */
  holder: Caller;
  /** Whether a visit continues, by the token of an earlier opening. */
  continues: boolean;
}

/**
 * Decides who may open a link. It opens without a secret, by an earlier admission, by the token of an invitation, or by its
 * PIN or passphrase. Refuses everyone else, and everyone once the link has ended. For a blocked person, and for all but
 * its account once an invitation is accepted, the link does not exist.
 */
export async function admit(deps: AdmissionDeps, opening: Opening): Promise<Admission> {
  const { db, tokens, guests, devices } = deps;
  const { shareId, caller, earlierCaller, invitation, guestKey, deviceKey } = opening;
  const existing = await findLink(db, shareId);
  // The check also runs for missing links, to take the same time.
  const isBlocked = await guests.isBlocked(existing?.id, {
    ...accountsAndGuests([caller, earlierCaller]),
    key: guestKey,
  });
  const unblocked = isBlocked ? undefined : existing;
  const holder = await tokenSubject(db, caller);
  const isTaken = unblocked?.invitation?.state === "accepted" && unblocked.invitation.acceptedBy !== holder.sub;
  // Others who hold the email of an accepted invitation learn that they must sign in.
  if (isTaken && invitation !== undefined && (await isInvited(db, unblocked, invitation)))
    throw new RequestError("invitation_accepted");

  const link = isTaken ? undefined : unblocked;
  const continues = link !== undefined && (await wasAdmitted(devices, link, [caller, earlierCaller]));
  const device = link && deviceKey !== undefined ? await devices.find(link, deviceKey) : undefined;
  const asksNothing = link !== undefined && link.secret === null && link.invitation === null;
  // Tokens expire with their link, so people whose page it closes hold only an expired one.
  const endedFor = link && endOf(link) !== undefined && (await wereAdmitted(tokens, opening.tokens, link));
  const admitted =
    link && (asksNothing || continues || device?.admitted === true || endedFor)
      ? link
      : await askFor(deps, opening, { link, isBlocked, device: device?.id });
  const end = endOf(admitted);
  if (end) throw new RequestError(end);
  return { link: admitted, holder, continues };
}

/** Whether one of these callers has a token of the link whose device a manager has not removed. */
async function wasAdmitted(devices: LinkDevices, link: Link, callers: (Caller | undefined)[]): Promise<boolean> {
  for (const caller of callers) {
    if (!caller || !isAdmitted(caller, link)) continue;
    const device = deviceOf(caller);
    if (device === undefined || (await devices.exists(link, device))) return true;
  }
  return false;
}

interface Asked {
  /** Undefined for a link that does not exist for the caller. */
  link: Link | undefined;
  isBlocked: boolean;
  device: string | undefined;
}

async function askFor(deps: AdmissionDeps, opening: Opening, request: Asked): Promise<Link> {
  const { db } = deps;
  const { shareId, invitation } = opening;
  const { link, isBlocked } = request;
  if (invitation !== undefined) {
    // Not counted: a token has 244 random bits, and a count could lock out the recipient of the email.
    if (!(await isInvited(db, link, invitation)) || !link) throw new RequestError("invitation_unknown");
    return link;
  }
  // There is no PIN to ask for. Its holder has a part of the email's link.
  if (!isBlocked && (await isInvitationLink(db, shareId))) throw new RequestError("invitation_incomplete");
  return askForSecret(deps, opening, request);
}

async function askForSecret(
  { pins, shareAttempts }: AdmissionDeps,
  { shareId, secrets, address }: Opening,
  { link, device }: Asked,
): Promise<Link> {
  // Share ids cannot be guessed, so only a holder of the link learns that it has a passphrase.
  const asks: ShareSecret = link?.asks ?? "pin";
  const secret = secrets.pin ?? secrets.passphrase;
  if (secret === undefined)
    throw new RequestError("pin_required", { message: `This link asks for a ${WORD[asks]}.`, details: { asks } });

  const attempt = await shareAttempts.begin(shareId, address, device);
  if (!attempt.allowed) throw lockedRefusal(attempt, "Too many wrong attempts. Please try again later.", { asks });
  const { triesLeft } = attempt;
  const lockedUntil = attempt.lockedUntil?.toISOString() ?? null;
  const isRight = await pins.matches((secrets[asks] !== undefined && link?.secret) || undefined, secret);
  if (!link || !isRight) {
    throw new RequestError("pin_wrong", {
      message: `This is not the ${WORD[asks]} of this link.`,
      details: { triesLeft, lockedUntil, asks },
    });
  }
  await attempt.refund();
  return link;
}

/** The accounts and guests of these callers. */
const accountsAndGuests = (callers: (Caller | undefined)[]) => ({
  people: callers.flatMap((caller) => (caller?.role === "authenticated" && caller.sub ? [caller.sub] : [])),
  guests: callers.flatMap((caller) => {
    const guest = (caller?.share as { guest?: unknown } | undefined)?.guest;
    return typeof guest === "string" ? [guest] : [];
  }),
});

const WORD: Record<ShareSecret, string> = { pin: "PIN", passphrase: "passphrase" };

/** Throws `revoked` or `expired` if the caller's token is of a link that opens nothing any more. */
export async function refuseEndedLink(db: Database, caller: Caller): Promise<void> {
  const entered = linkOf(caller);
  if (!entered) return;
  const link = await linkById(db, entered.id);
  const end = link ? endOf(link) : "revoked";
  if (end) throw new RequestError(end);
}
