import { expectAccessible } from "../support/accessibility.ts";
import { dateField, fillDate } from "../support/date-field.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

test("one photo or a whole selection is dated; undo restores the dates, and the gallery is in their order", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const files = ["canon.jpg", "landscape-orientation-1.jpg", "reconyx.jpg"];
  const memory = await memoryWith(ada, await photoPaths(...files));
  const { data } = await ada.client.from("media").select("id").eq("file_name", "canon.jpg").eq("memory_id", memory.id);
  await ada.client.rpc("set_media_dates", { ids: data?.map(({ id }) => id), dates: ["2015"] }).throwOnError();
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  const titles = () => page.locator("[data-gallery] h3").allTextContents();
  await expect.poll(titles).toEqual(["2015", say("media:undated")]);

  await page.locator("[data-gallery] a[aria-label*=landscape]").press("Enter");
  await page.getByRole("button", { name: say("gallery:details.show") }).click();
  await page.getByRole("button", { name: say("gallery:date.set") }).click();
  const box = page.getByRole("dialog");
  await fillDate(dateField(box, say("gallery:date.label")), say, { month: "summer", year: "1962" });
  await expectAccessible(page);
  await box.getByRole("button", { name: say("gallery:date.save") }).click();
  await expect(box.getByText("Summer 1962", { exact: true })).toBeVisible();
  await expect(box.getByText("Taken: Summer 1962")).toBeVisible();
  await box.getByRole("button", { name: say("media:lightbox.close"), exact: true }).click();
  await expect.poll(titles).toEqual(["Summer 1962", "2015", say("media:undated")]);

  await page.getByRole("button", { name: say("gallery:select.start"), exact: true }).click();
  const bar = page.getByRole("toolbar", { name: say("gallery:select.bar") });
  await tiles(page).first().locator("a").click();
  await bar.getByRole("button", { name: say("gallery:select.all") }).click();
  await bar.getByRole("button", { name: say("gallery:date.set") }).click();
  const window = page.getByRole("dialog");
  await window.getByRole("button", { name: say("gallery:date.save") }).click();
  await expect(window.getByText(say("memories:fields.errors.year"))).toBeVisible();
  await fillDate(dateField(window, say("gallery:date.label")), say, { month: "decade", year: "1964" });
  await expectAccessible(page);
  await window.getByRole("button", { name: say("gallery:date.save") }).click();
  await expect.poll(titles).toEqual(["The 1960s"]);
  await page.getByRole("button", { name: say("gallery:date.undo"), exact: true }).click();
  await expect.poll(titles).toEqual(["Summer 1962", "2015", say("media:undated")]);
  const takenDates = async () => {
    const { data } = await ada.client.from("media").select("taken_at").eq("memory_id", memory.id).order("taken_order");
    return data?.map(({ taken_at }) => taken_at);
  };
  await expect.poll(takenDates).toEqual(["1962-22", "2015", null]);
  await page.reload();
  await toGallery(page);
  await expect.poll(titles).toEqual(["Summer 1962", "2015", say("media:undated")]);

  // An undo leaves alone what somebody else has dated since.
  await page.getByRole("button", { name: say("gallery:select.start"), exact: true }).click();
  await tiles(page).first().locator("a").click();
  await bar.getByRole("button", { name: say("gallery:select.all") }).click();
  await bar.getByRole("button", { name: say("gallery:date.set") }).click();
  await fillDate(dateField(window, say("gallery:date.label")), say, { year: "1950" });
  await window.getByRole("button", { name: say("gallery:date.save") }).click();
  await expect.poll(takenDates).toEqual(["1950", "1950", "1950"]);
  await page.getByRole("button", { name: say("gallery:date.undo"), exact: true }).hover();
  await ada.client.rpc("set_media_dates", { ids: data?.map(({ id }) => id), dates: ["1949"] }).throwOnError();
  await page.getByRole("button", { name: say("gallery:date.undo"), exact: true }).click();
  await expect(page.getByText(say("conflict:notUndone"), { exact: true })).toBeVisible();
  await expect.poll(takenDates).toEqual(["1949", "1962-22", null]);
});
