import type { Locator, Page } from "@playwright/test";
import type { textsIn } from "./texts.ts";

interface KnownDate {
  day?: string;
  /** A value of the list of months: `1` to `12`, a season, or `decade`. */
  month?: string;
  year: string;
  about?: boolean;
}

export const dateField = (within: Page | Locator, name: string) => within.getByRole("group", { name, exact: true });

export async function fillDate(field: Locator, say: ReturnType<typeof textsIn>, date: KnownDate) {
  await field.getByLabel(say("dateField:year"), { exact: true }).fill(date.year);
  await field.getByLabel(say("dateField:month"), { exact: true }).selectOption(date.month ?? "");
  await field.getByLabel(say("dateField:day"), { exact: true }).fill(date.day ?? "");
  if (date.about) await field.getByLabel(say("dateField:about"), { exact: true }).check();
}

const DAY_MS = 24 * 3600_000;

/** The day so many days after today (UTC), like "2026-11-30". */
export const dayAfter = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
