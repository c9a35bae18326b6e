import type { Page } from "@playwright/test";

/**
 * A smaller shift is a letter's width. The fonts that stand in until ours have come take up the same room but for that, and on
 * a busy machine ours come after the first picture.
 */
const LEAST_SHIFT = 0.001;

/** Begins to note what moves on the page without anybody's doing, once all of its HTML is read: a busy browser paints a part of it. */
export const watchShifts = (page: Page) =>
  page.addInitScript((least) => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      const [{ domInteractive: parsed }] = performance.getEntriesByType("navigation") as [PerformanceNavigationTiming];
      for (const { hadRecentInput, value, sources, startTime } of list.getEntries() as Shift[]) {
        if (parsed === 0 || startTime < parsed) continue;
        const moved = sources.map(({ node }) => (node as HTMLElement | null)?.outerHTML?.slice(0, 200));
        if (!hadRecentInput && value >= least) shifts.push(`${value}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  }, LEAST_SHIFT);

/** What has moved so far, with how far. */
export const shiftsOn = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
