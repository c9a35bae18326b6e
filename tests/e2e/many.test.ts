import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { sized } from "../support/long-tests.ts";
import { manyMemories } from "../support/many-memories.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const COUNT = sized(200, 1000);
/** The most elements of a whole page, whatever it lists. */
const MOST_ELEMENTS = 3000;

const elements = (page: Page) => page.locator("*").count();

/** Scrolls to the end of a page, which loads more of the list, until this name is visible. */
const scrollTo = (page: Page, name: string) =>
  expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole("link", { name, exact: true })).toBeInViewport({ timeout: 300 });
  }).toPass({ intervals: [100] });

const scrollToText = (page: Page, text: string) =>
  expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByText(text).first()).toBeInViewport({ timeout: 300 });
  }).toPass({ intervals: [100] });

test(`a list of ${COUNT} memories loads in pages, renders only a part, and keeps its position and search`, async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada", { plan: "skies-memories" });
  const names = await manyMemories(ada, COUNT);
  const [newest = "", oldest = ""] = [names[0], names.at(-1)];

  const page = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/rest/v1/memories") && request.method() === "GET") {
      requests.push(
        `${searchParams.get("select")?.includes("memory_counts(") ? "page" : "fact"} ${searchParams.get("limit")}`,
      );
    }
  });
  await page.goto("/");
  await expect(page.getByRole("link", { name: newest, exact: true })).toBeVisible();
  await expect(page.locator("[aria-setsize]").first()).toHaveAttribute("aria-setsize", String(COUNT));
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  // Rows far below have not been requested.
  expect(requests.filter((one) => one.startsWith("page")).length).toBeLessThan(4);
  expect(requests.every((one) => one === "page 24" || one === "fact 1" || one === "fact null")).toBe(true);

  await scrollTo(page, oldest);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  await expect(page.locator(`[aria-posinset="${COUNT}"]`)).toBeVisible();

  // Scrolls half-way up, opens a memory and returns: the list is at the same position.
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
  await expect.poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(5);

  // Found by name, although this page has never loaded it.
  const other = await visit({ as: ada });
  await other.goto("/");
  await other.getByRole("textbox", { name: say("memories:list.find") }).fill(oldest.toLocaleUpperCase());
  await expect(other.locator("[aria-posinset] h2 a")).toHaveText([oldest]);
  await other.getByRole("link", { name: oldest, exact: true }).click();
  await expect(other.getByRole("heading", { level: 1, name: oldest })).toBeVisible();
  await other.goBack();
  await expect(other.locator("[aria-posinset] h2 a")).toHaveText([oldest]);
});

test("an album of many memories is arranged and extended while only a part is rendered", async ({ visit, person }) => {
  const say = textsIn("en");
  const count = sized(90, 400);
  const ada = await person("Ada", { plan: "skies-memories" });
  const names = await manyMemories(ada, count + 40);
  const { data: memories } = await ada.client
    .from("memories")
    .select("id")
    .order("person_name")
    .limit(count)
    .throwOnError();
  const album = await newRow(ada.client, "albums", { name: "Family" });
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: memories.map(({ id }) => id) }).throwOnError();

  const page = await visit({ as: ada, viewport: { width: 1280, height: 800 } });
  await page.goto(`/groups/${album.id}`);
  await expect(page.getByText(say("albums:memories", { count }), { exact: true }).first()).toBeVisible();
  const sorted = [...names].sort();
  await scrollTo(page, sorted[count - 1] ?? "");
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  // By keyboard from the first position to the last, which was not rendered, and back by one with the arrow.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("button", { name: say("albums:arrange") }).click();
  await page.getByRole("button", { name: say("albums:order.move", { name: sorted[0] }), exact: true }).press("Enter");
  await page.keyboard.press("End");
  await expect(page.getByText(say("albums:order.at", { place: count, count }), { exact: true })).toBeAttached();
  const handle = page.getByRole("button", { name: say("albums:order.move", { name: sorted[0] }), exact: true });
  await expect(handle).toBeFocused();
  await expect(handle).toBeInViewport();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => {
      const { data } = await ada.client
        .from("memories")
        .select("person_name")
        .eq("album_id", album.id)
        .order("album_position", { ascending: false })
        .limit(2);
      return data?.map(({ person_name }) => person_name);
    })
    .toEqual([sorted[count - 1], sorted[0]]);
  await page.getByRole("button", { name: say("albums:arranged") }).click();

  // The memories to add are found by name.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page
    .getByRole("button", { name: say("albums:put") })
    .first()
    .click();
  const box = page.getByRole("dialog");
  const nextName = sorted[count + 20] ?? "";
  await box.getByRole("textbox", { name: say("memories:list.find") }).fill(nextName);
  await box.getByRole("checkbox", { name: nextName }).check();
  await box.getByRole("button", { name: say("albums:done", { count: 1 }) }).click();
  await expect(page.getByText(say("albums:memories", { count: count + 1 }), { exact: true }).first()).toBeVisible();
});

test("older notices and orders load by scrolling, and after a failure by retrying", { tag: "@sample" }, async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/rest\/v1\/orders.*status of 500/);
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  await server.change(async (db) => {
    await db.query(
      `insert into notices (user_id, memory_id, kind, actor_name, created_at)
       select $1, $2, 'accepted', 'Guest ' || i, now() - make_interval(mins => i) from generate_series(1, 120) i`,
      [ada.id, memory.id],
    );
    await db.query(
      `insert into orders (user_id, email, number, status, currency, subtotal, total, created_at)
       select $1, 'ada@example.com', $2::text || '-' || i, 'paid', 'GBP', 4500, 4500, now() - make_interval(mins => i) from generate_series(1, 50) i`,
      [ada.id, ada.id.slice(0, 8)],
    );
  });
  const page = await visit({ as: ada, viewport: { width: 390, height: 800 } });
  await page.goto("/notices");
  await expect(page.getByText("Guest 1 ", { exact: false }).first()).toBeVisible();
  await expect(page.getByText("Guest 120", { exact: false })).toHaveCount(0);
  await scrollToText(page, "Guest 120");
  // The next page fails: the loaded rows stay, and the button retries.
  let isRefused = true;
  await page.route(/\/rest\/v1\/orders\?.*created_at=lte/, (route) =>
    isRefused ? route.fulfill({ status: 500, json: { message: "Not now" } }) : route.continue(),
  );
  await page.goto("/orders");
  await expect(
    page.getByText(say("orders:order", { number: `${ada.id.slice(0, 8)}-1` }), { exact: true }),
  ).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole("alert")).toHaveText(say("common:pages.failed"));
  isRefused = false;
  // A page that follows its rows live may already have retried by itself.
  const retry = page.getByRole("button", { name: say("common:problem.retry") });
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 500 });
    await expect(page.getByRole("alert")).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await scrollToText(page, say("orders:order", { number: `${ada.id.slice(0, 8)}-50` }));
});

/** Indexes of the cards whose middle is in the window, counted from the first rendered card. */
const middles = (page: Page) =>
  page.locator("[aria-posinset]").evaluateAll((all) =>
    all.flatMap((one, index) => {
      const { top, bottom } = one.getBoundingClientRect();
      return (top + bottom) / 2 > 100 && (top + bottom) / 2 < window.innerHeight - 100 ? [index] : [];
    }),
  );
const inWindow = async (page: Page) => (await middles(page)).length;
const firstInWindow = async (page: Page) => (await middles(page))[0] ?? 0;
