import { errorHappened } from "./analytics.ts";
import { readConsent } from "./consent.ts";
import { tabStorage } from "./storage.ts";

const KEY = "start_error";

/** Stores an error that ended the start before the recipients of events were known, if the person has consented. */
export function keepStartError(error: unknown) {
  if (readConsent() === "accepted") tabStorage.setItem(KEY, error instanceof Error ? error.message : String(error));
}

/** Reports the error that ended the previous start in this tab. */
export function reportStartError() {
  const message = tabStorage.getItem(KEY);
  if (message === null) return;
  tabStorage.removeItem(KEY);
  errorHappened(message);
}
