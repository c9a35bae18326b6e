import type { OpenedShare, ShareSecret } from "../../../shared/share.ts";
import type { OpenSession } from "../../data/share-state.ts";
import { servedPage } from "../../lib/browser/served-page.ts";
import { browserStorage, keepJson, readJson, tabStorage } from "../../lib/browser/storage.ts";
import { callFunction } from "../../lib/request/call-function.ts";
import { hasStoredSession } from "../../lib/session/stored-session.ts";

const keyOf = (shareId: string) => `skies-share-${shareId}`;
const TOO_SHORT_MS = 30_000;

const guestKeyOf = (shareId: string) => `skies-guest-${shareId}`;
const GUEST_KEY = /^[\w-]{32,128}$/;

/** The secret by which this browser is a guest of a link; undefined where nobody has signed it here. */
export function guestKey(shareId: string): string | undefined {
  const key = browserStorage.getItem(guestKeyOf(shareId)) ?? "";
  return GUEST_KEY.test(key) ? key : undefined;
}

export const keepGuestKey = (shareId: string, key: string) => browserStorage.setItem(guestKeyOf(shareId), key);

/** Takes the key that an email's link brings, behind its #, out of the address; tells whether there was one. */
export function takeGuestKey(shareId: string): boolean {
  const key = behindHash("#guest=");
  if (!GUEST_KEY.test(key)) return false;
  keepGuestKey(shareId, key);
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}

/** What is behind this in the address; nothing where a page is prerendered, which has none. */
function behindHash(name: string): string {
  const hash = globalThis.location?.hash ?? "";
  return hash.startsWith(name) ? hash.slice(name.length) : "";
}

const invitationKeyOf = (shareId: string) => `skies-invitation-${shareId}`;
const INVITATION_TOKEN = /^[0-9a-f]{64}$/;

/** The token of the invitation's email by which this browser came to a link; undefined where it came otherwise. */
const invitationToken = (shareId: string): string | undefined =>
  browserStorage.getItem(invitationKeyOf(shareId)) ?? tokenInAddress();

function tokenInAddress(): string | undefined {
  const token = behindHash("#invitation=");
  return INVITATION_TOKEN.test(token) ? token : undefined;
}

/** Takes the token that an invitation's email brings, behind its #, out of the address, so that no history keeps it. */
export function takeInvitationToken(shareId: string) {
  const token = tokenInAddress();
  // Without storage the token stays in the address, as a reload needs it.
  if (token === undefined || !browserStorage.setItem(invitationKeyOf(shareId), token)) return;
  history.replaceState(history.state, "", location.pathname + location.search);
}

const page = servedPage();
const openedAt = globalThis.location?.pathname;

/**
 * What a link asks for, as the page says that the app was opened with: nothing has to be asked of the server before a
 * PIN can be typed. Undefined where that is not known, and where the email of an invitation opens it.
 */
export function askedByPage(shareId: string): ShareSecret | undefined {
  // The prerendered share gate is that of a link with a PIN.
  if (!page) return "pin";
  const { asks } = page.dataset;
  if (location.pathname !== openedAt || invitationToken(shareId) !== undefined) return undefined;
  return asks === "pin" || asks === "passphrase" ? asks : undefined;
}

/** What its holder has to say to a share gate. */
export interface Secret {
  pin?: string;
  passphrase?: string;
}

/**
 * Opens a share with its PIN or passphrase, or by a token that it gave before, as the person who is signed in here; throws
 * FunctionRefusal where the server says no.
 */
export async function openShare(shareId: string, by: Secret & { held?: string }): Promise<OpenSession> {
  const opened = await callFunction<OpenedShare>(
    "open-share",
    {
      shareId,
      ...by,
      invitation: invitationToken(shareId),
      guestKey: guestKey(shareId),
      screen: by.held === undefined,
    },
    { bearer: await ownBearer(), request: askedAlready(by.pin) },
  );
  return keptAs(shareId, opened);
}

/** The answer that the page itself asked for before the app was here, as by the PIN typed into it; used once. */
function askedAlready(pin: string | undefined): typeof fetch | undefined {
  const opening = page?.opening;
  delete page?.opening;
  if (!opening || opening.pin !== pin) return undefined;
  // What was lost on the way is asked once more.
  return (input, init) => opening.answer.catch(() => fetch(input, init));
}

/** Keeps what a link answered with, for as long as this tab is there. */
export function keptAs(shareId: string, { expiresIn, screen, ...opened }: OpenedShare): OpenSession {
  const session = { ...opened, expiresAt: Date.now() + expiresIn * 1000 };
  keepJson(tabStorage, keyOf(shareId), session);
  return { ...session, screen };
}

/** The bearer of the person who is signed in here. Nobody else fetches the client that knows it. */
async function ownBearer(): Promise<string | undefined> {
  if (!hasStoredSession()) return undefined;
  const { supabase } = await import("../../lib/request/supabase.ts");
  const { data } = await supabase.auth.getSession();
  return data.session?.access_token;
}

/** What this tab opened before a reload, while it still holds for a while. */
export function keptSession(shareId: string): OpenSession | undefined {
  const kept = readJson(tabStorage, keyOf(shareId)) as OpenSession | undefined;
  return kept?.linkId && kept.expiresAt - Date.now() > TOO_SHORT_MS ? kept : undefined;
}

export const forgetSession = (shareId: string) => tabStorage.removeItem(keyOf(shareId));
