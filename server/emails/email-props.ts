import type { Currency } from "../../shared/money.ts";
import type { MemoryNoticeKind } from "../../shared/notice.ts";
import type { Reportable, ReportReason } from "../../shared/report.ts";

/** A link and a code for the same purpose, each valid once. */
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
  /** Name of the person who caused the notice; empty if unknown. */
  actor: string;
  /** The content id of the person's picture, which is then attached. */
  face?: string;
  /** The number of added photos, videos and recordings, or of held contributions; otherwise 1. */
  count: number;
  excerpt?: string;
  url: string;
}

/** The kinds of notes, for administrators who look into failed emails. */
type NoteSort = "memory invitation" | "invitation" | "letter" | "contact form" | "report" | "answer";

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
  /** To a guest, ten minutes after their last upload. `at`, `until`: ISO 8601. `url` opens the link as that guest. */
  "guest-receipt": {
    name: string;
    timeZone: string;
    files: { id: string; name: string; at: string; memory: string }[];
    url: string;
    until: string | null;
  };
  /**
   * To a guest about a memory's day: before replies close, before the day, when they have a place, or after changes. `url` opens the link as
   * that guest; `day` and `time` of a part are local.
   */
  "day-reminder": {
    kind: "closing" | "coming" | "place" | "changed";
    name: string;
    memory: string;
    parts: { title: string; place: string; day: string; time: string | null; timeZone: string }[];
    closes: { at: string; timeZone: string } | null;
    url: string;
  };
  /** News in the recipient's memories. `more`: the number of notices that are not listed. */
  notices: {
    cadence: "instantly" | "daily" | "weekly";
    memories: { name: string; url: string; lines: NoticeLine[]; more: number }[];
    settingsUrl: string;
  };
  /** On a birthday or anniversary. `passed`: the person has died. */
  reminder: {
    occasion: "birthday" | "passing" | "event";
    name: string;
    years: number;
    passed: boolean;
    url: string;
    settingsUrl: string;
  };
  /** `name`: the memory or album that the link opens. `label`: the link's own name, or empty. */
  "link-locked": { name: string; label: string; url: string };
  "storage-warning": { percent: 75 | 90 | 100; url: string };
  /** To the owner of a memory. `files`: the photos, videos and recordings whose originals are damaged and have no copy. */
  "file-lost": { name: string; files: number; url: string };
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
  /**
   * To the owner of a memory with reported content. Staff ask them to check it, or have hidden it. `words`: the message
   * of staff; `url` may be empty.
   */
  "content-reported": {
    decision: "ask" | "hide";
    item: Reportable["kind"];
    memory: string;
    reason: ReportReason;
    words: string;
    url: string;
  };
  /**
   * A message that a person wrote: `html` is sanitised, `subject` is one line. `from`: the address of a signed-in
   * sender; `name`: their name, or empty. `site`: the site's URL; links to it stay unchanged.
   */
  note: { subject: string; html: string; from?: string; name?: string; site?: string; sort?: NoteSort };
  /**
   * `amount`: this refund. `remains`: the rest of the payment. Both in pence or cents. `plan`, `cards`: whether the
   * order has such lines.
   */
  "order-refunded": {
    number: string;
    currency: Currency;
    amount: number;
    remains: number;
    plan: boolean;
    cards: boolean;
    /** Whether the account no longer exists, so that nothing can be opened. Absent in older rows of the outbox. */
    accountDeleted?: boolean;
    orderUrl: string;
  };
  "order-disputed": { number: string; currency: Currency; total: number; paidAt: string; orderUrl: string };
  "payment-failed": { number: string; currency: Currency; total: number; cartUrl: string };
  /** Money in pence or cents; `paidAt` in ISO 8601. */
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
export type NoticeEmailName = "notices" | "reminder" | "link-locked" | "storage-warning" | "file-lost";

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
