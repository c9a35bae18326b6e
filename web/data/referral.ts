import { ATTRIBUTION_DAYS } from "../../shared/commission.ts";
import { type Consent, readConsent } from "../lib/browser/consent.ts";
import { browserStorage, keepJson, readJson } from "../lib/browser/storage.ts";

const KEY = "affiliate_referral";
const DAY_MS = 24 * 60 * 60 * 1000;

/** A visit by an affiliate's link: the affiliate's code and the time. */
export interface Referral {
  code: string;
  /** ISO 8601. */
  visited_at: string;
}

/** Whether a visit by a link still counts for a purchase now. */
export const counts = ({ visited_at }: Referral, now: number): boolean =>
  now - Date.parse(visited_at) <= ATTRIBUTION_DAYS * DAY_MS;

/** The visit to store: the earlier one as long as it counts. */
export const firstTouch = (earlier: Referral | undefined, visit: Referral, now: number): Referral =>
  earlier && counts(earlier, now) ? earlier : visit;

/** Whether referrals may be stored: only with consent. */
export const mayKeep = (consent: Consent | null): boolean => consent === "accepted";

/** The stored visit, if it counts; undefined without consent to store it. */
export function keptReferral(): Referral | undefined {
  if (!mayKeep(readConsent())) return undefined;
  const stored = readJson(browserStorage, KEY);
  return isReferral(stored) && counts(stored, Date.now()) ? stored : undefined;
}

export const keepReferral = (referral: Referral) => keepJson(browserStorage, KEY, referral);

export const forgetReferral = () => browserStorage.removeItem(KEY);

const isReferral = (value: unknown): value is Referral =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  "visited_at" in value &&
  !Number.isNaN(Date.parse(String(value.visited_at)));
