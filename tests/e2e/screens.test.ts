import type { Page } from "@playwright/test";
import { pagePatterns } from "../../shared/pages.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { LONG } from "../support/long-tests.ts";
import { areas } from "../support/screens/all.ts";
import type { OpenState, Say } from "../support/screens/screen.ts";
import { isWanted, photograph, SHEET_FOLDER } from "../support/screens/sheet.ts";
import { textsIn } from "../support/texts.ts";
import { expectToBearChanges } from "../support/translator.ts";

const NARROW = { width: 320, height: 740 };
const TABLET = { width: 768, height: 1024 };
const WIDE = { width: 1280, height: 800 };
/** Whether every state of every route is opened. */
const IN_FULL = LONG || SHEET_FOLDER !== undefined;

test("every route has a state in the list of screens", { tag: "@sample" }, () => {
  const listed = new Set(areas.flatMap(({ routes }) => routes));
  expect([...listed].sort()).toEqual([...new Set(pagePatterns)].sort());
});

// A long run checks every state in both languages. Otherwise, the first state of every eighth route is checked, in
// Italian, whose texts are longer: those of all routes would take a third of the time in the browser. Then the screen
// is translated and extended, as by the browser and its extensions, and changes its language and place.
for (const { title, open } of areas) {
  test(`everybody can use ${title}, in either theme and on a narrow screen`, { tag: "@sample" }, async ({
    visit,
    server,
    person,
    expectedErrors,
  }) => {
    // Each state has its own timeouts; this one ends a run that hangs.
    test.setTimeout(SHEET_FOLDER ? 7_200_000 : 900_000);
    // A missing or wrong PIN, an unknown code or card, and a closed link.
    expectedErrors.push(/status of (40[0134]|410|429)/);
    const pages = new Map<string, Page>();
    const pageFor = async ({ as, unanswered, alone }: OpenState, language: "en" | "it") => {
      const key = JSON.stringify([language, as?.id, unanswered]);
      const openPage = alone ? undefined : pages.get(key);
      const page = openPage ?? (await visit({ as, language, consent: unanswered ? null : "declined" }));
      page.setDefaultTimeout(60_000);
      if (!alone) pages.set(key, page);
      return page;
    };
    const looked = new Set<string>();
    const failures: string[] = [];
    for (const state of await open({ server, person })) {
      if (SHEET_FOLDER && !isWanted(state)) continue;
      if (looked.has(state.route) && !IN_FULL) continue;
      looked.add(state.route);
      if (looked.size % 8 !== 1 && !IN_FULL) continue;
      for (const language of IN_FULL ? (["en", "it"] as const) : (["it"] as const)) {
        const page = await pageFor(state, language);
        // One failure does not prevent the checks of the other states.
        const say = textsIn(language);
        await look(page, state, say)
          .then(() => (SHEET_FOLDER ? photograph(page, state, language, SHEET_FOLDER) : undefined))
          .then(() => expectFocusReturns(page))
          .then(() => bearChanges(page, language, say))
          .catch((error: Error) => failures.push(`${state.route}, ${state.state} (${language}): ${error.message}`));
      }
    }
    expect(failures).toEqual([]);
  });
}

async function look(page: Page, { path, enter }: OpenState, say: Say) {
  await page.setViewportSize(WIDE);
  await page.goto(path);
  await enter(page, say);
  await expectAccessible(page);
  for (const window of [WIDE, TABLET, NARROW]) await expectNoSidewaysScroll(page, window);
  await expectWholeWords(page);
  await withLargeText(page, () => expectNoSidewaysScroll(page, NARROW));
  await expectNothingCovered(page);
}

/** The widths of phones in CSS pixels. */
const PHONE_WIDTHS = [360, 390];

/**
 * Fails when more than one thing floats over a phone's page, or when it covers a button, a field or words that cannot be
 * scrolled from under it: at the page's beginning, and at its end also under a bar as wide as the window.
 */
async function expectNothingCovered(page: Page) {
  for (const width of PHONE_WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const covered = () =>
      page.evaluate(() => {
        // A window over the page covers it on purpose.
        if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return [];
        const isFixed = (element: Element) => getComputedStyle(element).position === "fixed";
        const floatOf = (element: Element | null) => {
          for (let one = element; one; one = one.parentElement) if (isFixed(one)) return one;
          return undefined;
        };
        const isBar = (float: Element) => float.getBoundingClientRect().width > 0.9 * innerWidth;
        const floats = [...document.querySelectorAll("body *")].filter((element) => {
          const { width, height } = element.getBoundingClientRect();
          return width > 8 && height > 8 && isFixed(element) && element.checkVisibility({ opacityProperty: true });
        });
        const small = floats.filter((float) => !isBar(float) && !floatOf(float.parentElement));
        const failures = small.length > 1 ? small.map((float) => `floats: ${float.textContent}`) : [];
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const targets = [...document.querySelectorAll("a, button, input, select, textarea, summary")];
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          if (node.textContent?.trim() && node.parentElement) targets.push(node.parentElement);
        }
        for (const place of ["beginning", "end"]) {
          scrollTo({ top: place === "end" ? document.documentElement.scrollHeight : 0, behavior: "instant" });
          for (const target of new Set(targets)) {
            const { left: x, top, width, height } = target.getBoundingClientRect();
            const above = document.elementFromPoint(x + width / 2, top + height / 2);
            const float = floatOf(above);
            if (!above || !float || above.contains(target) || float.contains(target)) continue;
            if (place === "beginning" && isBar(float)) continue;
            failures.push(`${target.textContent || target.tagName} at the ${place}`);
          }
        }
        scrollTo({ top: 0, behavior: "instant" });
        return failures;
      });
    await expect.poll(covered, `what is covered at ${width} px on ${page.url()}`).toEqual([]);
  }
}

/** Fails when closing the open dialogs by keyboard leaves the focus nowhere. */
async function expectFocusReturns(page: Page) {
  // The width at which they were opened, because what opened them may exist only there.
  await page.setViewportSize(WIDE);
  const dialogs = page.locator("[role=dialog]:not([data-side-panel]), [role=alertdialog]");
  for (let open = await dialogs.count(); open > 0; open--) {
    const before = await dialogs.count();
    if (before === 0) return;
    await page.keyboard.press("Escape");
    await expect.poll(() => dialogs.count(), `the dialogs of ${page.url()}`).toBeLessThan(before);
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused, `the focus after a dialog of ${page.url()}`).not.toBe("BODY");
  }
}

/** On a wide screen, where the choice of the language is in sight. */
async function bearChanges(page: Page, language: "en" | "it", say: Say) {
  await page.setViewportSize(WIDE);
  await expectToBearChanges(page, language, say("layout:oops.title"));
}

/** Runs a check while the page's text has twice its size. */
async function withLargeText(page: Page, check: () => Promise<void>) {
  const setTextSize = (size: string) =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, size);
  await setTextSize("32px");
  await check();
  await setTextSize("");
}

/** Fails when the page, its header or a window over it is wider than a browser window of this size. */
async function expectNoSidewaysScroll(page: Page, window: typeof WIDE) {
  await page.setViewportSize(window);
  const width = () =>
    page.evaluate(() => {
      const fixed = [...document.querySelectorAll("header :is(a, button), [role=dialog], [role=menu]")];
      const ends = fixed.map((element) => element.getBoundingClientRect().left + element.scrollWidth);
      return Math.max(document.documentElement.scrollWidth, ...ends);
    });
  await expect.poll(width, `the width of ${page.url()}`).toBeLessThanOrEqual(window.width);
}

/** Fails when a line ends inside a word or an amount. Of longer words, e.g. email addresses, it may. */
async function expectWholeWords(page: Page) {
  const broken = () =>
    page.evaluate(() => {
      const lines = (range: Range) => new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const brokenWords: string[] = [];
      const range = document.createRange();
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        range.selectNodeContents(node);
        // What is folded away has lines of another width than it will have.
        if (!node.parentElement?.checkVisibility() || lines(range) < 2) continue;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[^\s/?=-]+/g)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (word.length < 15 && lines(range) > 1) brokenWords.push(word);
        }
      }
      return brokenWords;
    });
  await expect.poll(broken, `broken words on ${page.url()}`).toEqual([]);
}
