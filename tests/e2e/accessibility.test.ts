import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { createMemory, expectPhotos } from "../support/journey.ts";
import { photoPaths } from "../support/photos.ts";
import { wordsIn } from "../support/texts.ts";

for (const language of ["en", "it"] as const) {
  const say = wordsIn(language);

  test(`everybody can use what a visitor sees (${language})`, async ({ visit, expectedErrors }) => {
    expectedErrors.push(/open-share.*status of 401/);
    const page = await visit({ language });
    for (const path of ["/", "/login", "/register", "/home", "/nowhere", "/memory/new"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await expect(page.getByRole("heading").first()).toBeVisible();
      await expectAccessible(page);
    }
    await page.goto("/shared/ThereIsNothingHere1234");
    await expect(page.getByLabel(say("sharing:pin.digit", { number: 4 }))).toBeVisible();
    await expectAccessible(page);
  });
}

test("everybody can use what a family sees, in both languages", async ({ visit, person }) => {
  test.setTimeout(180_000);
  const ada = await person("Ada");
  const first = await visit({ as: ada });
  await first.goto("/");
  await createMemory(first, wordsIn("en"), "Rosa Bellini", await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  const memory = first.url();

  for (const language of ["en", "it"] as const) {
    const say = wordsIn(language);
    const empty = await visit({ as: await person("Bea"), language });
    await empty.goto("/");
    await expect(empty.getByText(say("memories:list.emptyTitle"))).toBeVisible();
    await expectAccessible(empty);
    await empty.goto("/memory/new");
    await expect(empty.getByRole("button", { name: say("memories:new.create") })).toBeVisible();
    await expectAccessible(empty);

    const page = await visit({ as: ada, language });
    await page.goto(memory);
    await expectPhotos(page, 2);
    await expectAccessible(page);
    await page.locator('a[href*="photo="]').first().click();
    await expect(page.getByRole("button", { name: say("media:lightbox.next") })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: say("memories:page.edit"), exact: true }).click();
    await expect(page.getByRole("button", { name: say("memories:page.save") })).toBeVisible();
    await expectAccessible(page);

    await page.goto(memory);
    await page.getByRole("button", { name: say("sharing:share"), exact: true }).click();
    await page.getByRole("button", { name: say("sharing:pin.set") }).click();
    await expectAccessible(page);

    await page.goto("/");
    await expect(page.getByText("Rosa Bellini")).toBeVisible();
    await expectAccessible(page);
  }
});

test("nothing jumps while a page fills", async ({ visit, person }) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const page = await visit({ as: ada });
  await page.goto("/");
  await createMemory(page, wordsIn("en"), "Rosa Bellini", await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  for (const path of [page.url(), "/", "/memory/new", "/dashboard"]) {
    const fresh = await page.context().newPage();
    await fresh.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          if (!entry.hadRecentInput) shifts.push(entry.value);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await fresh.goto(path, { waitUntil: "networkidle" });
    await expect(fresh.getByRole("heading").first()).toBeVisible();
    const shifts = await fresh.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(
      shifts.reduce((sum, shift) => sum + shift, 0),
      `layout shift at ${path}`,
    ).toBe(0);
    await fresh.close();
  }
});
