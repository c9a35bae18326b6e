import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorHappened, followConsent, pageViewed, track } from "./analytics.ts";
import { openAdapters } from "./analytics-adapters.ts";
import type { AnalyticsEvent } from "./analytics-event.ts";
import { forgetConsent, storeConsent } from "./consent.ts";

const NOW = new Date("2026-03-01T10:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("location", { origin: "https://skies.example" });
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  vi.spyOn(crypto, "randomUUID").mockReturnValue("0000000a-0000-4000-8000-000000000000");
});
afterEach(() => {
  forgetConsent();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("Spec §2, §8: events are sent only while consent is given, and of earlier ones only the view of the open page", async () => {
  const heard: AnalyticsEvent[] = [];
  const end = followConsent(async () => (event) => heard.push(event));
  pageViewed("/");
  errorHappened(new Error("before"));
  pageViewed("/memory/:id");
  expect(heard).toEqual([]);
  storeConsent("accepted");
  errorHappened("while loading");
  await expect.poll(() => heard).toHaveLength(2);
  track({ name: "share", method: "link" });
  storeConsent("declined");
  track({ name: "share", method: "link" });
  end();
  expect(heard).toEqual([
    { name: "page_view", path: "/memory/:id" },
    { name: "error", message: "while loading" },
    { name: "share", method: "link" },
  ]);
});

test("Spec §8: failures of analytics are ignored, whether loading or sending fails", async () => {
  storeConsent("accepted");
  const load = vi.fn(async () => () => {
    throw new Error("blocked");
  });
  const end = followConsent(load);
  await expect.poll(() => load).toHaveBeenCalled();
  expect(() => pageViewed("/")).not.toThrow();
  end();
  followConsent(() => Promise.reject(new Error("offline")))();
  openAdapters([{ vendor: "meta", id: "1", url: "/tr" }], () => Promise.reject(new Error("offline")))({
    name: "page_view",
    path: "/",
  });
});

/** The requests that one vendor gets for these events. */
function record(vendor: "ga4" | "plausible" | "meta" | "tiktok", ...events: AnalyticsEvent[]) {
  const requests: { url: string; method?: string | undefined; body: unknown; credentials?: string | undefined }[] = [];
  storeConsent("declined");
  followConsent()();
  const send = openAdapters([{ vendor, id: "ID", url: "https://vendor.example/in" }], async (url, init) => {
    const { method, body, credentials } = init ?? {};
    requests.push({ url: String(url), method, body: body && JSON.parse(String(body)), credentials });
    return new Response();
  });
  for (const event of events) send(event);
  return requests;
}

const view: AnalyticsEvent = { name: "page_view", path: "/memory/:id" };
const purchase: AnalyticsEvent = { name: "purchase", order: "o1", value: 4500, currency: "GBP" };
const failure: AnalyticsEvent = { name: "error", message: 'Cannot open "Ada" at /memory/7f3a for ada@example.com' };
const page = "https://skies.example/memory/:id";
const fields = (url: string) => Object.fromEntries(new URL(url).searchParams);

test("Google Analytics 4 receives hits in its script's format, without an address or an order", () => {
  const sent = record("ga4", view, { name: "sign_up", method: "email" }, purchase, purchase, failure);
  const visit = { v: "2", tid: "ID", cid: "10.1772359200", sid: "1772359200", sct: "1", seg: "1", ul: "en", dl: page };
  expect(sent.map(({ method, credentials }) => [method, credentials])).toEqual(Array(4).fill(["POST", "omit"]));
  expect(sent.map(({ url }) => fields(url))).toEqual([
    { ...visit, _s: "1", en: "page_view", _ss: "1", _fv: "1" },
    { ...visit, _s: "2", en: "sign_up", "ep.method": "email" },
    {
      ...visit,
      _s: "3",
      en: "purchase",
      cu: "GBP",
      "epn.value": "45",
      "ep.transaction_id": "0000000a-0000-4000-8000-000000000000",
    },
    { ...visit, _s: "4", en: "exception", "ep.description": "Cannot open … at … for …", "epn.fatal": "0" },
  ]);
});

test("Plausible receives events in its API's format", () => {
  const sent = record("plausible", view, { name: "memory_created", kind: "event" }, purchase);
  expect(sent.map(({ body }) => body)).toEqual([
    { name: "pageview", url: page, domain: "ID" },
    { name: "Memory created", url: page, domain: "ID", props: { kind: "event" } },
    { name: "Purchase", url: page, domain: "ID", revenue: { currency: "GBP", amount: 45 } },
  ]);
  expect(sent[0]).toMatchObject({ url: "https://vendor.example/in", method: "POST", credentials: "omit" });
});

test("Meta's pixel is requested as a picture, and receives no errors", () => {
  const sent = record("meta", view, failure, { name: "share", method: "link" }, purchase);
  expect(sent).toHaveLength(3);
  expect(sent[0]).toMatchObject({ method: "GET", body: undefined, credentials: "include" });
  expect(sent.map(({ url }) => fields(url))).toMatchObject([
    { id: "ID", ev: "PageView", dl: page, fbp: "fb.1.1772359200000.10" },
    { ev: "Share" },
    { ev: "Purchase", "cd[value]": "45", "cd[currency]": "GBP" },
  ]);
});

test("TikTok's pixel receives events in its script's format, and no errors", () => {
  const sent = record("tiktok", view, failure, purchase);
  expect(sent.map(({ body }) => body)).toMatchObject([
    {
      event: "Pageview",
      timestamp: NOW.toISOString(),
      context: { pixel: { code: "ID" }, page: { url: page, referrer: "" } },
      properties: {},
    },
    { event: "CompletePayment", properties: { value: 45, currency: "GBP" } },
  ]);
  expect(sent[0]).toMatchObject({ method: "POST", credentials: "include" });
});
