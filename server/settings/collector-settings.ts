import { z } from "zod";

/** A URL, or a path on this server, e.g. of a sandbox. */
const collectorUrl = z.string().regex(/^(?:https?:\/)?\/\S+$/, "must be an address or a path");

/** The settings of analytics services, which receive visits after consent. */
export const collectorSettings = {
  ANALYTICS_GA4_ID: z
    .string()
    .regex(/^G-[A-Z0-9]+$/, "must be a measurement ID, G-…")
    .optional(),
  ANALYTICS_GA4_URL: collectorUrl.default("https://www.google-analytics.com/g/collect"),
  ANALYTICS_PLAUSIBLE_DOMAIN: z.string().min(1).optional(),
  ANALYTICS_PLAUSIBLE_URL: collectorUrl.default("https://plausible.io/api/event"),
  PIXEL_META_ID: z.string().regex(/^\d+$/, "must be a number").optional(),
  PIXEL_META_URL: collectorUrl.default("https://www.facebook.com/tr"),
  PIXEL_TIKTOK_ID: z
    .string()
    .regex(/^[A-Z0-9]+$/, "must be a pixel code")
    .optional(),
  PIXEL_TIKTOK_URL: collectorUrl.default("https://analytics.tiktok.com/api/v2/pixel"),
};

type Given = z.output<z.ZodObject<typeof collectorSettings>>;

/** Analytics vendors: the company, and the settings with its id and URL. */
const COLLECTORS = [
  { vendor: "ga4", company: "Google", id: "ANALYTICS_GA4_ID", url: "ANALYTICS_GA4_URL" },
  { vendor: "plausible", company: "Plausible", id: "ANALYTICS_PLAUSIBLE_DOMAIN", url: "ANALYTICS_PLAUSIBLE_URL" },
  { vendor: "meta", company: "Meta", id: "PIXEL_META_ID", url: "PIXEL_META_URL" },
  { vendor: "tiktok", company: "TikTok", id: "PIXEL_TIKTOK_ID", url: "PIXEL_TIKTOK_URL" },
] as const;

/** Returns the configured analytics services in the web app's format. */
export const collectorsOf = (settings: Given) =>
  COLLECTORS.flatMap(({ id, url, ...collector }) => {
    const value = settings[id];
    return value ? [{ ...collector, id: value, url: settings[url] }] : [];
  });
