import type { Page } from "@playwright/test";

const KEY = "test-taps";

/** What a person has done on a page: their taps on buttons and links, and the labels of the fields that they filled. */
export interface Taps {
  taps: number;
  fields: string[];
}

/**
 * Counts the taps and filled fields of a page from its next loading on. A tap into a field is part of filling it. Files
 * are chosen in the system's own window.
 */
export async function countTaps(page: Page): Promise<() => Promise<Taps>> {
  await page.addInitScript((key) => {
    const stored = (): Taps => JSON.parse(sessionStorage.getItem(key) ?? '{"taps":0,"fields":[]}');
    const store = (taps: Taps) => sessionStorage.setItem(key, JSON.stringify(taps));
    // Not "click", which follows also from a key and from the app's own call for a hidden field.
    addEventListener(
      "pointerdown",
      ({ isTrusted, target }) => {
        const isField = target instanceof Element && target.closest("label, input, textarea") !== null;
        const before = stored();
        if (isTrusted && !isField) store({ ...before, taps: before.taps + 1 });
      },
      true,
    );
    addEventListener(
      "input",
      ({ target }) => {
        if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
        if (target.type === "file") return;
        const label = target.labels?.[0]?.textContent ?? target.getAttribute("aria-label") ?? target.name;
        const before = stored();
        store({ ...before, fields: [...new Set([...before.fields, label])] });
      },
      true,
    );
  }, KEY);
  return () => page.evaluate((key) => JSON.parse(sessionStorage.getItem(key) ?? '{"taps":0,"fields":[]}'), KEY);
}
