import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";

test("nothing jumps while a page fills", async ({ visit, person }) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada });
  for (const path of [`/memory/${id}`, "/", "/memory/new", "/dashboard"]) {
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
