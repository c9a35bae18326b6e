import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { shiftsOn, watchShifts } from "../support/layout-shift.ts";
import { photoPaths } from "../support/photos.ts";

test("nothing jumps while a page fills", async ({ visit, person }) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada });
  for (const path of [`/memory/${id}`, "/", "/memory/new", "/dashboard"]) {
    const fresh = await page.context().newPage();
    await watchShifts(fresh);
    await fresh.goto(path, { waitUntil: "networkidle" });
    await expect(fresh.getByRole("heading").first()).toBeVisible();
    expect(await shiftsOn(fresh), `layout shift at ${path}`).toEqual([]);
    await fresh.close();
  }
});

test("no line breaks again when the fonts of a served page come late, and the next page has them", async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 412, height: 800 } });
  await watchShifts(page);
  for (const path of ["/pricing", "/help", "/affiliates", "/get-started"]) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*.woff2", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    release();
    await page.evaluate(() => document.fonts.ready);
    // Two frames after the fonts came, their change would be painted.
    await page.evaluate(
      () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted(0)))),
    );
    expect(await shiftsOn(page), `layout shift at ${path}`).toEqual([]);
    await page.unroute("**/*.woff2");
  }
  const fonts = () => page.evaluate(() => getComputedStyle(document.body).fontFamily);
  expect(await fonts()).not.toContain("Source Sans 3");
  await page.goto("/pricing");
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await page.getByRole("link", { name: "Login", exact: true }).click();
  await expect.poll(fonts).toContain("Source Sans 3");
});
