import { invitationTokenIn, namesInvitation } from "../../../shared/invitation-link.ts";
import type { OpenedShare, ShareSecret } from "../../../shared/share.ts";
import type { OpenSession } from "../../data/share-state.ts";
import { servedPage } from "../../lib/browser/served-page.ts";
import { browserStorage, keepJson, readJson, tabStorage } from "../../lib/browser/storage.ts";
import { callFunction, plainRequest } from "../../lib/request/call-function.ts";
import { ownAnswer } from "../../lib/request/own-answer.ts";
import { noteClock } from "../../lib/request/server-clock.ts";
import { hasStoredSession } from "../../lib/session/stored-session.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import { GUEST_KEY, guestKey, guestKeyOf, invitationKeyOf, sessionKeyOf } from "./share-keys.ts";

const TOO_SHORT_MS = 30_000;

export const keepGuestKey = (shareId: string, key: string) => browserStorage.setItem(guestKeyOf(shareId), key);

/** Moves the guest key of an email's link from the URL's fragment to the storage. Returns whether there was one. */
export function takeGuestKey(shareId: string): boolean {
  // Chats and mail programs end a link with punctuation.
  const key = /^[\w-]*/.exec(behindHash("#guest="))?.[0] ?? "";
  if (!GUEST_KEY.test(key)) return false;
  keepGuestKey(shareId, key);
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}

/** Returns the value after `name` in the URL's fragment; empty if it is missing, or while prerendering. */
function behindHash(name: string): string {
  const hash = globalThis.location?.hash ?? "";
  return hash.startsWith(name) ? hash.slice(name.length) : "";
}

/** Returns the token of the invitation's email that opened the link in this browser; undefined without one. */
export const invitationToken = (shareId: string): string | undefined =>
  browserStorage.getItem(invitationKeyOf(shareId)) ?? tokenInAddress();

/** What mail programs may have made of an invitation's fragment: some move it into the query. */
const addressEnd = () => (globalThis.location ? location.search + location.hash : "");
const tokenInAddress = () => invitationTokenIn(addressEnd());

/** Whether the URL is that of an invitation's email whose token was cut off or changed. */
export const isCutInvitation = () => namesInvitation(addressEnd()) && tokenInAddress() === undefined;

/** Moves an invitation's token from the URL's fragment to the storage, so that the history does not contain it. */
export function takeInvitationToken(shareId: string) {
  const token = tokenInAddress();
  // If the storage is unavailable, the token stays in the URL, because a reload needs the token.
  if (token === undefined || !browserStorage.setItem(invitationKeyOf(shareId), token)) return;
  const query = namesInvitation(location.search) ? "" : location.search;
  history.replaceState(history.state, "", location.pathname + query);
}

const page = servedPage();
const openedAt = globalThis.location?.pathname;

/**
 * Returns the kind of secret that a link requires. The served page contains it, so that a PIN can be typed without
 * waiting for a request. Returns undefined if it is unknown, or if an invitation's email opens the link.
 */
export function requiredSecret(shareId: string): ShareSecret | undefined {
  // While prerendering there is no page. The prerendered share gate asks for a PIN.
  if (!page) return "pin";
  const { asks } = page.dataset;
  if (location.pathname !== openedAt || invitationToken(shareId) !== undefined || isCutInvitation()) return undefined;
  return asks === "pin" || asks === "passphrase" ? asks : undefined;
}

/** The secret that a visitor entered at the share gate. */
export interface Secret {
  pin?: string;
  passphrase?: string;
}

/** Opens a share with its secret or an earlier token, as the signed-in person if any. Throws FunctionRefusal. */
export async function openShare(shareId: string, by: Secret & { held?: string }): Promise<OpenSession> {
  const opened = await callFunction<OpenedShare>(
    "open-share",
    {
      shareId,
      ...by,
      invitation: invitationToken(shareId),
      guestKey: guestKey(shareId),
      held: by.held ?? lastToken(shareId),
      screen: by.held === undefined,
    },
    { bearer: await ownBearer(), request: prefetchedResponse(by.pin) },
  );
  return keptAs(shareId, opened);
}

/**
 * Returns a replacement of `fetch` with the response to the request that the served page sent before the app had
 * loaded. Undefined without such a request, for another PIN, or if it was used before.
 */
function prefetchedResponse(pin: string | undefined): typeof fetch | undefined {
  const opening = page?.opening;
  delete page?.opening;
  if (!opening || opening.pin !== pin) return undefined;
  // If that request did not reach the server, it is repeated.
  return (input, init) => opening.answer.then(ownAnswer).catch(() => plainRequest(input, init));
}

/** Stores an opened share in this tab's storage, and returns its session. */
export function keptAs(shareId: string, { expiresIn, screen, ...opened }: OpenedShare): OpenSession {
  const session = { ...opened, expiresAt: Date.now() + expiresIn * 1000 };
  keepJson(tabStorage, sessionKeyOf(shareId), session);
  return { ...session, screen };
}

/** Resolves to the signed-in person's access token. The client is not loaded for visitors. */
async function ownBearer(): Promise<string | undefined> {
  if (!hasStoredSession()) return undefined;
  const { supabase } = await import("../../lib/request/supabase.ts");
  const { data } = await supabase.auth.getSession();
  return data.session?.access_token;
}

/** Returns the last token of this tab, which may have expired; undefined if the link was not opened in this tab. */
export const lastToken = (shareId: string): string | undefined =>
  (readJson(tabStorage, sessionKeyOf(shareId)) as OpenSession | undefined)?.token;

/** Returns the share that this tab opened before a reload, if its token stays valid for longer than `TOO_SHORT_MS`. */
export function keptSession(shareId: string): OpenSession | undefined {
  const stored = readJson(tabStorage, sessionKeyOf(shareId)) as OpenSession | undefined;
  if (!stored?.linkId) return undefined;
  noteClock(stored.expiresAt - Number(claimsIn(stored.token).exp) * 1000);
  return stored.expiresAt - Date.now() > TOO_SHORT_MS ? stored : undefined;
}

export const forgetSession = (shareId: string) => tabStorage.removeItem(sessionKeyOf(shareId));

/** Ends this tab's session, but keeps its token, so that the share gate can tell that the link has expired. */
export function endSession(shareId: string) {
  const token = lastToken(shareId);
  if (token !== undefined) keepJson(tabStorage, sessionKeyOf(shareId), { token });
}
