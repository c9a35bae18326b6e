import type { OpenedShare } from "../../../shared/share.ts";
import { callFunction } from "../../lib/call-function.ts";
import type { OpenSession } from "./share-state.ts";

const keyOf = (shareId: string) => `skies-share-${shareId}`;
const TOO_SHORT_MS = 30_000;

/** Opens a share with its PIN, or by a token that still holds; throws FunctionRefusal where the server says no. */
export async function openShare(shareId: string, by: { pin?: string; token?: string }): Promise<OpenSession> {
  const opened = await callFunction<OpenedShare>("open-share", { shareId, pin: by.pin }, { bearer: by.token });
  const session = {
    token: opened.token,
    expiresAt: Date.now() + opened.expiresIn * 1000,
    memoryId: opened.memoryId,
  };
  keep(shareId, session);
  return session;
}

/** What this tab opened before a reload, while it still holds for a while. */
export function keptSession(shareId: string): OpenSession | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(shareId)) ?? "null") as OpenSession | null;
    return kept && kept.expiresAt - Date.now() > TOO_SHORT_MS ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function forgetSession(shareId: string) {
  try {
    sessionStorage.removeItem(keyOf(shareId));
  } catch {
    // Closed storage holds nothing.
  }
}

function keep(shareId: string, session: OpenSession) {
  try {
    sessionStorage.setItem(keyOf(shareId), JSON.stringify(session));
  } catch {
    // Without storage a reload asks for the PIN again.
  }
}
