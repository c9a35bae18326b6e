import type { Currency } from "../../shared/money.ts";
import type { MemoryNoticeKind } from "../../shared/notice.ts";
import type { Reportable, ReportReason } from "../../shared/report.ts";

/** A link and a code that open the same thing, once. */
export interface OneTime {
  url: string;
  /** Six digits. */
  code: string;
  /** The lifetime in minutes. */
  minutes: number;
}

/** An event of an account, for its owner. */
export interface Notice {
  /** ISO 8601. */
  at: string;
  /** The URL of the account's security settings. */
  profileUrl: string;
}

/** One line of an email about a memory. */
export interface NoticeLine {
  kind: MemoryNoticeKind;
  /** Empty where they gave no name. */
  actor: string;
  /** The content id of the person's picture, which is then attached. */
  face?: string;
  /** The number of added photos and videos, or of held contributions; otherwise 1. */
  count: number;
  excerpt?: string;
  url: string;
}

/** The kinds of notes, for administrators who look into failed emails. */
type NoteSort = "memory invitation" | "invitation" | "contact form" | "report" | "answer";

/** The props of every email by its template. Stored as JSON until it is sent. */
export interface EmailProps {
  "confirm-address": OneTime & { name: string };
  welcome: { name: string; startUrl: string };
  "magic-link": OneTime;
  recovery: OneTime;
  /** To the current address. */
  "email-change-current": OneTime & { newAddress: string };
  /** To the new address. */
  "email-change-new": OneTime & { newAddress: string };
  reauthentication: { code: string; minutes: number };
  "new-sign-in": Notice & { device: string };
  "password-changed": Notice;
  "factor-added": Notice & { factor: "totp" | "phone" };
  "factor-removed": Notice & { factor: "totp" | "phone" };
  /** To a guest, ten minutes after the last file they added: `at` and `until` in ISO 8601, `url` opens the link as them. */
  "guest-receipt": {
    name: string;
    timeZone: string;
    files: { id: string; name: string; at: string; memory: string }[];
    url: string;
    until: string | null;
  };
  /** What is new in somebody's memories; `more` than is listed. */
  notices: {
    cadence: "instantly" | "daily" | "weekly";
    memories: { name: string; url: string; lines: NoticeLine[]; more: number }[];
    settingsUrl: string;
  };
  /** On a day of somebody's; `passed`: they are not alive any more. */
  reminder: {
    occasion: "birthday" | "passing" | "event";
    name: string;
    years: number;
    passed: boolean;
    url: string;
    settingsUrl: string;
  };
  /** A link to the memory or album of this name; `label`, empty where it has none, is the link's own. */
  "link-locked": { name: string; label: string; url: string };
  "storage-warning": { percent: 75 | 90 | 100; url: string };
  /** To the holder of a plan that ends; `endsAt` in ISO 8601. */
  "plan-ending": { plan: string; endsAt: string; days: 30 | 7; url: string };
  /** About the cards of an order; `number` is the order's. */
  "cards-engraved": { number: string; cards: number; cardsUrl: string };
  /** Carrier, number and tracking URL may be empty. */
  "cards-sent": {
    number: string;
    cards: number;
    cardsUrl: string;
    carrier: string;
    trackingNumber: string;
    trackingUrl: string;
  };
  /** To the owner of a memory: something in it was reported, and staff ask them to look at it, or have hidden it. `words`: of staff; `url` may be empty. */
  "content-reported": {
    decision: "ask" | "hide";
    item: Reportable["kind"];
    memory: string;
    reason: ReportReason;
    words: string;
    url: string;
  };
  /** What a person wrote: `html` cleaned, `subject` one line; `from`, their address, where they write to somebody else; `site`, our own address, whose links stay as they are. */
  note: { subject: string; html: string; from?: string; site?: string; sort?: NoteSort };
  /** What goes back now and what remains paid, in pence or cents; whether the order had a plan, and whether cards. */
  "order-refunded": {
    number: string;
    currency: Currency;
    amount: number;
    remains: number;
    plan: boolean;
    cards: boolean;
    orderUrl: string;
  };
  "order-disputed": { number: string; currency: Currency; total: number; paidAt: string; orderUrl: string };
  "payment-failed": { number: string; currency: Currency; total: number; cartUrl: string };
  /** The payment, in pence or cents; `paidAt` in ISO 8601. */
  receipt: {
    number: string;
    paidAt: string;
    currency: Currency;
    /** `years`: the term of a plan; null for other lines. */
    lines: { name: string; years: number | null; quantity: number; amount: number }[];
    subtotal: number;
    discount: number;
    tax: number;
    total: number;
    voucher: string | null;
    ordersUrl: string;
  };
}
export type EmailName = keyof EmailProps;

/** The emails about notices. Their content is rendered with the reader's permissions at send time. */
export type NoticeEmailName = "notices" | "reminder" | "link-locked" | "storage-warning";

/** The notices of such an email; `told`: the part of a notice's count that earlier emails reported. */
export interface NoticeOrder {
  person: string;
  cadence: EmailProps["notices"]["cadence"];
  notices: { id: string; told: number }[];
}

/** The props of every text message by its template. */
export interface SmsProps {
  "phone-code": { code: string; minutes: number };
}
export type SmsName = keyof SmsProps;
