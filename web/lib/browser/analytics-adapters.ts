import { ANALYTICS_KEY, type AnalyticsEvent } from "./analytics-event.ts";
import type { Collector } from "./config.ts";
import { browserStorage, keepJson, readJson } from "./storage.ts";

/** The ids of visitor and visit for vendors, generated in this browser. */
export interface Visitor {
  id: string;
  /** ISO 8601. */
  since: string;
  /** The session: it ends after half an hour without an event. */
  session: { number: number; startedAt: string; lastAt: string };
  /** Orders whose purchase was reported. */
  orders: string[];
}

interface Sent {
  /** A unique id, so that a vendor counts an event once. */
  id: string;
  at: Date;
  /** The page's URL with the route's pattern as path, so that it contains no id of a memory, link or person. */
  page: string;
  language: string;
  visitor: Visitor;
  /** The number of events that this page has sent, from 1. */
  count: number;
  newSession: boolean;
}

interface VendorRequest {
  url: string;
  method: "GET" | "POST";
  body?: string;
  /** Included for ad pixels, which recognise people by the vendor's own cookie. */
  credentials: RequestCredentials;
}

/** Converts an event to a vendor's wire format; undefined if the vendor does not use it. */
type Adapter = (collector: Collector, event: AnalyticsEvent, sent: Sent) => VendorRequest | undefined;

const withQuery = (url: string, fields: Record<string, string | number | undefined>) => {
  const parameters = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return `${url}?${new URLSearchParams(parameters)}`;
};

const seconds = (date: Date | string) => Math.floor(new Date(date).getTime() / 1000);

/** Converts pence and cents to pounds and euros. */
const major = (value: number) => value / 100;

/** The fields of an event: `ep` for text, `epn` for numbers. */
function ga4Fields(event: AnalyticsEvent, id: string): Record<string, string | number> {
  switch (event.name) {
    case "page_view":
      return {};
    case "purchase":
      return { cu: event.currency, "epn.value": major(event.value), "ep.transaction_id": id };
    case "error":
      return { "ep.description": event.message, "epn.fatal": 0 };
    case "memory_created":
      return { "ep.kind": event.kind };
    default:
      return { "ep.method": event.method };
  }
}

const ga4: Adapter = ({ url, id }, event, sent) => {
  const { visitor } = sent;
  return {
    url: withQuery(url, {
      v: 2,
      tid: id,
      // In the format of the vendor's own script: a number and the time of the first visit.
      cid: `${Number.parseInt(visitor.id.slice(0, 8), 16)}.${seconds(visitor.since)}`,
      sid: seconds(visitor.session.startedAt),
      sct: visitor.session.number,
      seg: 1,
      _s: sent.count,
      ul: sent.language.toLowerCase(),
      dl: sent.page,
      en: event.name === "error" ? "exception" : event.name,
      ...(sent.newSession && { _ss: 1, ...(visitor.session.number === 1 && { _fv: 1 }) }),
      ...ga4Fields(event, sent.id),
    }),
    method: "POST",
    credentials: "omit",
  };
};

const plausible: Adapter = ({ url, id }, event, sent) => {
  const named = {
    page_view: "pageview",
    sign_up: "Signup",
    memory_created: "Memory created",
    share: "Share",
    purchase: "Purchase",
    error: "Error",
  };
  const { name: _name, ...fields } = event;
  const body = {
    name: named[event.name],
    url: sent.page,
    domain: id,
    ...(event.name === "purchase" && { revenue: { currency: event.currency, amount: major(event.value) } }),
    ...(event.name !== "purchase" && event.name !== "page_view" && { props: fields }),
  };
  return { url, method: "POST", body: JSON.stringify(body), credentials: "omit" };
};

/** Ad pixels receive only the events that lead to a purchase. */
const PIXEL_EVENTS = {
  page_view: { meta: "PageView", tiktok: "Pageview" },
  sign_up: { meta: "CompleteRegistration", tiktok: "CompleteRegistration" },
  memory_created: { meta: "MemoryCreated", tiktok: "MemoryCreated" },
  share: { meta: "Share", tiktok: "Share" },
  purchase: { meta: "Purchase", tiktok: "CompletePayment" },
} as const;

const meta: Adapter = ({ url, id }, event, sent) => {
  if (event.name === "error") return undefined;
  const { visitor } = sent;
  return {
    url: withQuery(url, {
      id,
      ev: PIXEL_EVENTS[event.name].meta,
      dl: sent.page,
      rl: "",
      if: "false",
      ts: sent.at.getTime(),
      eid: sent.id,
      fbp: `fb.1.${new Date(visitor.since).getTime()}.${Number.parseInt(visitor.id.slice(0, 8), 16)}`,
      ...(event.name === "purchase" && { "cd[value]": major(event.value), "cd[currency]": event.currency }),
    }),
    method: "GET",
    credentials: "include",
  };
};

const tiktok: Adapter = ({ url, id }, event, sent) => {
  if (event.name === "error") return undefined;
  const body = {
    event: PIXEL_EVENTS[event.name].tiktok,
    event_id: sent.id,
    timestamp: sent.at.toISOString(),
    context: {
      ad: { sdk_env: "external" },
      user: { anonymous_id: sent.visitor.id },
      pixel: { code: id },
      page: { url: sent.page, referrer: "" },
    },
    properties: event.name === "purchase" ? { value: major(event.value), currency: event.currency } : {},
  };
  return { url, method: "POST", body: JSON.stringify(body), credentials: "include" };
};

const adapters: Record<Collector["vendor"], Adapter> = { ga4, plausible, meta, tiktok };

const SESSION_MS = 30 * 60_000;
const MOST_ORDERS = 20;

/** The stored visitor; this event extends their session. */
function visitorAt(now: Date): { visitor: Visitor; newSession: boolean } {
  const at = now.toISOString();
  const storedVisitor = readJson(browserStorage, ANALYTICS_KEY) as Visitor | undefined;
  const visitor = storedVisitor?.session
    ? storedVisitor
    : { id: crypto.randomUUID(), since: at, orders: [], session: undefined };
  const { session } = visitor;
  const goesOn = session && now.getTime() - Date.parse(session.lastAt) < SESSION_MS;
  return {
    newSession: !goesOn,
    visitor: {
      ...visitor,
      session: goesOn ? { ...session, lastAt: at } : { number: (session?.number ?? 0) + 1, startedAt: at, lastAt: at },
    },
  };
}

/** An error's message without possible personal data: addresses, ids, numbers and quoted text. */
export const scrub = (message: string): string =>
  message
    .replace(/["'“‘«`].*?["'”’»`]/g, "…")
    .replace(/\S*[@/]\S*/g, "…")
    .replace(/\S*\d\S*/g, "…")
    .slice(0, 100);

/** Sends events to each vendor in its own wire format; failures are ignored (Spec §8). */
export function openAdapters(collectors: Collector[], request: typeof fetch = fetch) {
  let count = 0;
  let page = `${location.origin}/`;
  return (seenEvent: AnalyticsEvent) => {
    const at = new Date();
    const { visitor, newSession } = visitorAt(at);
    if (seenEvent.name === "page_view") page = location.origin + seenEvent.path;
    if (seenEvent.name === "purchase") {
      if (visitor.orders.includes(seenEvent.order)) return;
      visitor.orders = [...visitor.orders, seenEvent.order].slice(-MOST_ORDERS);
    }
    const event = seenEvent.name === "error" ? { ...seenEvent, message: scrub(seenEvent.message) } : seenEvent;
    keepJson(browserStorage, ANALYTICS_KEY, visitor);
    const sentEvent: Sent = {
      id: crypto.randomUUID(),
      at,
      page,
      language: document.documentElement.lang,
      visitor,
      count: ++count,
      newSession,
    };
    for (const collector of collectors) {
      const { url, ...init } = adapters[collector.vendor](collector, event, sentEvent) ?? {};
      // Without CORS the response is unreadable, but it is not needed.
      if (url)
        request(url, { ...init, mode: "no-cors", keepalive: true, referrerPolicy: "no-referrer" }).catch(() => {});
    }
  };
}
