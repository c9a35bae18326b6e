import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** What the browser itself reads of the page's manifest, and what it finds wrong with it. */
async function manifestOf(page: Page) {
  const browser = await page.context().newCDPSession(page);
  const { data, errors, url } = await browser.send("Page.getAppManifest");
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  const manifest = JSON.parse(data ?? "{}") as { name: string; start_url: string; lang: string; shortcuts?: unknown[] };
  // Playwright's contexts are incognito windows, in which nothing can be installed.
  const wrong = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  return { url, errors, wrong, ...manifest };
}

/** Has the browser offer to install the page, as it does on its own some time after the first visit. */
const offer = (page: Page) =>
  page.evaluate(() => {
    const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: async () => {
        document.documentElement.dataset.asked = "";
      },
    });
    dispatchEvent(event);
    return event.defaultPrevented;
  });

test("the app can be installed in both languages, and a link's page is an app of its own", async ({
  visit,
  person,
}) => {
  const { client } = await person("Ada");
  const memory = await newMemory(client, { person_name: "Rosa" });
  await shareFirstLink(client, memory.id);
  for (const language of ["en", "it"] as const) {
    const page = await visit({ language, ...PHONE });
    await page.goto("/about");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await manifestOf(page)).toMatchObject({ errors: [], wrong: [], lang: language, start_url: "/" });
    await page.goto(`/shared/${memory.share_id}`);
    await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
    await expect.poll(async () => (await manifestOf(page)).name).toBe("Rosa");
    const start_url = `/shared/${memory.share_id}`;
    expect(await manifestOf(page)).toMatchObject({ errors: [], wrong: [], start_url });
    // Not on the first day.
    expect(await offer(page)).toBe(true);
    await expect(page.getByText(textsIn(language)("install:page"))).toBeHidden();
  }
});

test("the bars of the system have the colour of the theme, also of a chosen one", { tag: "@sample" }, async ({
  visit,
}) => {
  const page = await visit({ colorScheme: "dark" });
  await page.goto("/about");
  const bars = () =>
    page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((bar) => bar.getAttribute("content")));
  await expect.poll(bars).toEqual(["#0d1626", "#0d1626"]);
  await page.getByRole("radio", { name: say("layout:theme.light") }).click();
  await expect.poll(bars).toEqual(["#fbf8f2", "#fbf8f2"]);
});

test("installing is offered once to a person with a memory, later only in the menu; a shortcut opens the last memory", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada, ...PHONE });
  const line = page.getByText(say("install:app"));
  await page.goto("/");
  await expect(page.getByText(say("memories:list.emptyTitle"))).toBeVisible();
  expect(await offer(page)).toBe(true);
  await expect(line).toBeHidden();

  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  // Without a memory that was opened before, the shortcut leads to the list.
  await page.goto("/memory/last");
  await expect(page.getByRole("link", { name: /Rosa/ })).toBeVisible();
  await expect(line).toBeHidden();
  await offer(page);
  await expect(line).toBeVisible();
  await page.getByRole("button", { name: say("install:later") }).click();
  await expect(line).toBeHidden();

  await page.getByRole("link", { name: /Rosa/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  await page.goto("/memory/last");
  await expect(page).toHaveURL(new RegExp(`/memory/${memory.id}$`));
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Rosa/ })).toBeVisible();
  await offer(page);
  await expect(line).toBeHidden();
  await page.getByRole("button", { name: say("layout:menu") }).click();
  await page.getByRole("menuitem", { name: say("install:item") }).click();
  await expect(page.locator("html[data-asked]")).toBeAttached();
});

test("a visitor of a link is offered its place on the home screen on a later day, until they decline", async ({
  visit,
  person,
}) => {
  const { client } = await person("Ada");
  const memory = await newMemory(client, { person_name: "Rosa" });
  await shareFirstLink(client, memory.id);
  const page = await visit(PHONE);
  const line = page.getByText(say("install:page"));
  const key = `skies-install-${memory.share_id}`;
  const open = async () => {
    await page.goto(`/shared/${memory.share_id}`);
    await expect(page.getByRole("link", { name: say("shareGate:startOwn") })).toBeVisible();
    await offer(page);
  };
  await open();
  await expect(line).toBeHidden();
  await page.evaluate((name) => localStorage.setItem(name, "Fri Jan 02 2026"), key);
  await open();
  await expect(line).toBeVisible();
  await page.getByRole("button", { name: say("install:later") }).click();
  await open();
  await expect(line).toBeHidden();
});
