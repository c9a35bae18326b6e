import type { Page } from "@playwright/test";

/**
 * The smallest recorded shift. A smaller one is the width of a letter: fallback fonts take the same space as the final
 * ones except for that, and on a busy machine the final fonts arrive after the first paint.
 */
const LEAST_SHIFT = 0.001;

/**
 * Records layout shifts without user input, also those while the browser reads the HTML: on a slow line, and on a busy
 * machine, it paints the beginning of a page before it has the rest. If that beginning ends within a centred line, the
 * line grows to both sides when its other words arrive. Chromium reports that as a shift of a text that keeps its place;
 * it is not recorded.
 */
export const watchShifts = (page: Page) =>
  page.addInitScript((least) => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
    const place = ({ x, y, width, height }: DOMRectReadOnly) => `${width} × ${height} at ${x}, ${y}`;
    const moved = ({ node, previousRect, currentRect }: Source) =>
      !(node instanceof Text && place(previousRect) === place(currentRect));
    const described = ({ node, previousRect, currentRect }: Source) => {
      const content = (node instanceof Element ? node.outerHTML : node?.textContent) ?? "a removed node";
      return `${content.slice(0, 200)} from ${place(previousRect)} to ${place(currentRect)}`;
    };
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries() as Shift[]) {
        if (!hadRecentInput && value >= least && sources.some(moved))
          shifts.push(`${value}: ${sources.map(described).join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  }, LEAST_SHIFT);

/** Returns the recorded shifts with their sizes. */
export const shiftsOn = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
