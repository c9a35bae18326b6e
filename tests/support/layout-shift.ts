import type { Page } from "@playwright/test";

/**
 * The smallest recorded shift. A smaller one is the width of a letter: fallback fonts take the same space as the final
 * ones except for that, and on a busy machine the final fonts arrive after the first paint.
 */
const LEAST_SHIFT = 0.001;

/**
 * Records layout shifts without user input, also those while the browser reads the HTML: on a slow line, and on a busy
 * machine, it paints the beginning of a page before it has the rest.
 */
export const watchShifts = (page: Page) =>
  page.addInitScript((least) => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node }) => (node as HTMLElement | null)?.outerHTML?.slice(0, 200));
        if (!hadRecentInput && value >= least) shifts.push(`${value}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  }, LEAST_SHIFT);

/** Returns the recorded shifts with their sizes. */
export const shiftsOn = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
