import type { ElementHandle, Page } from "@playwright/test";
import { test as base } from "../e2e.ts";
import { findInPage, type Wanted } from "./find.ts";
import { EnginePage, type Opening } from "./page.ts";

/** A page in Firefox, through Playwright. */
class FirefoxPage extends EnginePage<ElementHandle<Element>> {
  constructor(readonly page: Page) {
    super();
  }

  goto = (path: string) => this.page.goto(path);
  reload = () => this.page.reload();
  path = async () => new URL(this.page.url()).pathname;
  run = <Args extends unknown[], Result>(work: (...args: Args) => Result, ...args: Args) =>
    this.page.evaluate<Awaited<Result>>(`(${work})(...${JSON.stringify(args)})`);
  keys = async (...keys: string[]) => {
    for (const key of keys) await this.page.keyboard.press(key);
  };

  protected lookUp = async (wanted: Wanted) =>
    (await this.page.evaluateHandle(findInPage, wanted)).asElement() ?? undefined;
  protected scroll = (element: ElementHandle<Element>) =>
    element.evaluate((one) => one.scrollIntoView({ block: "center" }));
  protected click = (element: ElementHandle<Element>) => element.click({ timeout: 5000 });
  // By keys, because React does not notice what Playwright's `fill` sets in this browser.
  protected write = async (element: ElementHandle<Element>, text: string) => {
    await this.click(element);
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.type(text);
  };
  protected give = (element: ElementHandle<Element>, files: string[]) => element.setInputFiles(files);
}

/** Playwright's `test` with pages in Firefox. An error in one fails the test. */
export const test = base.extend<{ open: (opening?: Opening) => Promise<EnginePage> }>({
  open: ({ visit }, provide) =>
    provide(async ({ width = 1280 } = {}) => new FirefoxPage(await visit({ viewport: { width, height: 900 } }))),
});
