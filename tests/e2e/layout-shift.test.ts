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
