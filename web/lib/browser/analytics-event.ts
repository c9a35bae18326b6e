/** A usage event. Paths are patterns, e.g. /shared/:shareId, because an address can be a secret. */
export type AnalyticsEvent =
  | { name: "page_view"; path: string }
  | { name: "sign_up"; method: string }
  | { name: "memory_created"; kind: string }
  | { name: "share"; method: string }
  /** `order` is not sent: it only prevents counting a purchase twice. */
  | { name: "purchase"; order: string; value: number; currency: string }
  | { name: "error"; message: string };

/** Storage key for the ids of visitor and session. Deleted without consent. */
export const ANALYTICS_KEY = "analytics";
