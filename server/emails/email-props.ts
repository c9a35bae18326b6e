import type { Currency } from "../../shared/money.ts";
import type { MemoryNoticeKind } from "../../shared/notice.ts";
import type { Reportable, ReportReason } from "../../shared/report.ts";

/** A link and a code that open the same thing, once. */
export interface OneTime {
  url: string;
  /** Six digits. */
  code: string;
  /** For how long they work. */
  minutes: number;
}

/** Something that happened to an account, told to its owner. */
export interface Notice {
  /** ISO 8601. */
  at: string;
  /** Where the owner looks after their sign-in. */
  profileUrl: string;
}

/** Something new in a memory, in an email to one of its people. */
export interface NoticeLine {
  kind: MemoryNoticeKind;
  /** Empty where they gave no name. */
  actor: string;
  /** The content id of their picture, which then goes with the email. */
  face?: string;
  /** Photos and videos added, or additions that wait; 1 of anything else. */
  count: number;
  excerpt?: string;
  url: string;
}

/** What a note is, for who looks after emails that fail. */
type NoteSort = "memory invitation" | "invitation" | "contact form" | "report" | "answer";

/** Every email, and what fills it. Kept as JSON until it is sent. */
export interface EmailProps {
  "confirm-address": OneTime & { name: string };
  welcome: { name: string; startUrl: string };
  "magic-link": OneTime;
  recovery: OneTime;
  /** To the address the account has now. */
  "email-change-current": OneTime & { newAddress: string };
  /** To the address it is to have. */
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
  /** To anyone who holds a plan that ends; `endsAt` in ISO 8601. */
  "plan-ending": { plan: string; endsAt: string; days: 30 | 7; url: string };
  /** About the cards of an order; `number` is the order's. */
  "cards-engraved": { number: string; cards: number; cardsUrl: string };
  /** Of carrier, number and address to follow the parcel any may be empty. */
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
  /** What was paid, in pence or cents; `paidAt` in ISO 8601. */
  receipt: {
    number: string;
    paidAt: string;
    currency: Currency;
    /** `years`: for how many it was bought; null for what lasts. */
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

/** The emails about notices: filled when they go out, as their reader may see what they tell of then. */
export type NoticeEmailName = "notices" | "reminder" | "link-locked" | "storage-warning";

/** What such an email is to tell of; `told`: how much of a notice's count earlier emails told of. */
export interface NoticeOrder {
  person: string;
  cadence: EmailProps["notices"]["cadence"];
  notices: { id: string; told: number }[];
}

/** Every text message, and what fills it. */
export interface SmsProps {
  "phone-code": { code: string; minutes: number };
}
export type SmsName = keyof SmsProps;
