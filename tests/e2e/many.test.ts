import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { sized } from "../support/long-tests.ts";
import { manyMemories } from "../support/many-memories.ts";
import { wordsIn } from "../support/texts.ts";

const COUNT = sized(200, 1000);
/** Of a whole page, whatever it lists. */
const MOST_ELEMENTS = 3000;

const elements = (page: Page) => page.locator("*").count();

/** Goes to the end of a page until this can be seen there: each time more of the list comes. */
const scrollTo = (page: Page, name: string) =>
  expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole("link", { name, exact: true })).toBeInViewport({ timeout: 300 });
  }).toPass({ intervals: [100] });

test(`${COUNT} memories are looked through as lightly as a few`, async ({ visit, person }) => {
  test.setTimeout(180_000);
  const say = wordsIn("en");
  const ada = await person("Ada", { plan: "skies-memories" });
  const names = await manyMemories(ada, COUNT);
  const [newest = "", oldest = ""] = [names[0], names.at(-1)];

  const page = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/rest/v1/memories") && request.method() === "GET") {
      asked.push(
        `${searchParams.get("select")?.includes("media(count)") ? "page" : "fact"} ${searchParams.get("limit")}`,
      );
    }
  });
  await page.goto("/");
  await expect(page.getByRole("link", { name: newest, exact: true })).toBeVisible();
  await expect(page.locator("[aria-setsize]").first()).toHaveAttribute("aria-setsize", String(COUNT));
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  // What is far below has not been asked for.
  expect(asked.filter((one) => one.startsWith("page")).length).toBeLessThan(4);
  expect(asked.every((one) => one === "page 24" || one === "fact 1" || one === "fact null")).toBe(true);

  await scrollTo(page, oldest);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  await expect(page.locator(`[aria-posinset="${COUNT}"]`)).toBeVisible();

  // Half-way up, into one of them and back: the same place of the same list.
  await page.evaluate(() => window.scrollTo(0, Math.round(document.documentElement.scrollHeight / 2)));
  const middle = page.locator("[aria-posinset] h2 a");
  await expect.poll(() => inWindow(page)).toBeGreaterThan(0);
  const card = middle.nth((await firstInWindow(page)) + 1);
  const name = (await card.textContent()) ?? "";
  const before = await page.evaluate(() => window.scrollY);
  await card.click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name, exact: true })).toBeInViewport();
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(5);

  // Found by name, though it was never loaded by this page.
  const other = await visit({ as: ada });
  await other.goto("/");
  await other.getByRole("textbox", { name: say("memories:list.find") }).fill(oldest.toLocaleUpperCase());
  await expect(other.locator("[aria-posinset] h2 a")).toHaveText([oldest]);
  await other.getByRole("link", { name: oldest, exact: true }).click();
  await expect(other.getByRole("heading", { level: 1, name: oldest })).toBeVisible();
  await other.goBack();
  await expect(other.locator("[aria-posinset] h2 a")).toHaveText([oldest]);
});

/** Numbers of the drawn cards, counted from the first that is drawn, whose middle is in the window. */
const middles = (page: Page) =>
  page.locator("[aria-posinset]").evaluateAll((all) =>
    all.flatMap((one, index) => {
      const { top, bottom } = one.getBoundingClientRect();
      return (top + bottom) / 2 > 100 && (top + bottom) / 2 < window.innerHeight - 100 ? [index] : [];
    }),
  );
const inWindow = async (page: Page) => (await middles(page)).length;
const firstInWindow = async (page: Page) => (await middles(page))[0] ?? 0;
