import { onConsent, readConsent } from "../lib/browser/consent.ts";
import { browserStorage, keepJson, readJson } from "../lib/browser/storage.ts";
import { callFunction } from "../lib/request/call-function.ts";
import { hasStoredSession } from "../lib/session/stored-session.ts";
import { firstTouch, forgetReferral, keepReferral, keptReferral, mayKeep, type Referral } from "./referral.ts";

const COUNTED_KEY = "affiliate_counted";

/** The stored daily visit of a link. */
interface DailyVisit {
  code: string;
  day: string;
  /** An id for this day, so that a repeated visit counts once. */
  visit: string;
  told: boolean;
}

/**
 * Records a visit by an affiliate's link. Until consent it is only kept on this page. After consent the first visit is
 * stored, and counted once a day. Declining deletes everything.
 */
export function trackReferral(code: string) {
  const visit: Referral = { code: code.trim().toUpperCase(), visited_at: new Date().toISOString() };
  const act = () => {
    const consent = readConsent();
    if (mayKeep(consent)) {
      keepReferral(firstTouch(keptReferral(), visit, Date.now()));
      // A failed count does not affect the page.
      void count(visit.code).catch(() => {});
    } else if (consent === "declined") forgetAll();
  };
  act();
  onConsent(act);
}

function forgetAll() {
  forgetReferral();
  browserStorage.removeItem(COUNTED_KEY);
}

async function count(code: string) {
  const day = new Date().toISOString().slice(0, 10);
  const before = (readJson(browserStorage, COUNTED_KEY) ?? {}) as Partial<DailyVisit>;
  const same = before.code === code && before.day === day;
  if (same && before.told) return;
  const counted = { code, day, visit: (same && before.visit) || crypto.randomUUID() };
  keepJson(browserStorage, COUNTED_KEY, { ...counted, told: false });
  await callFunction("affiliate-click", { code, visit: counted.visit }, { ...(await bearerOf()) });
  keepJson(browserStorage, COUNTED_KEY, { ...counted, told: true });
}

/** Returns the signed-in person's token, so that affiliates' visits by their own link do not count. */
async function bearerOf(): Promise<{ bearer?: string }> {
  if (!hasStoredSession()) return {};
  const { supabase } = await import("../lib/request/supabase.ts");
  const { data } = await supabase.auth.getSession();
  return data.session ? { bearer: data.session.access_token } : {};
}
