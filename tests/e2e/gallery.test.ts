import { dateField, fillDate } from "../support/date-field.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tileNames, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const FILES = ["canon.jpg", "kodak-1998.jpg", "jolla-phone.jpg", "reconyx.jpg"];

test("a manager captions, arranges and deletes photos, and undoes the deletion", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths(...FILES));
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  const names = async () => (await tileNames(page)).map((name) => name.replace(/^Open: |\. Press.*$/g, ""));
  await expect(tiles(page)).toHaveCount(4);

  // A caption is written in the lightbox, saved without a button, and used as the photo's text alternative.
  await tiles(page).first().locator("a").press("Enter");
  const box = page.getByRole("dialog");
  await page.getByRole("button", { name: say("gallery:details.show") }).click();
  await page.getByLabel(say("gallery:details.caption"), { exact: true }).fill("Her chair in the garden");
  await page.getByLabel(say("gallery:details.alt")).fill("An empty garden chair under a tree");
  await expect(box.getByText(say("gallery:details.saved"), { exact: true })).toBeVisible();
  await expect(box.locator("p", { hasText: "Her chair in the garden" })).toBeVisible();
  await expect(box.getByRole("img", { name: "An empty garden chair under a tree" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect.poll(async () => (await names())[0]).toBe("An empty garden chair under a tree");
  const [first = "", second = "", third = "", fourth = ""] = await names();

  // By keyboard: a photo is picked up, moved by two and put down; then picked up and put back.
  await page.getByRole("button", { name: say("gallery:arrange.start") }).click();
  const grip = tiles(page).first().locator("a");
  // The page shows the change at once. A reload before the request has ended would undo it.
  const saved = () => page.waitForResponse(/rpc\/(arrange|move)_media/);
  const byKeyboard = saved();
  await grip.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(say("gallery:arrange.at", { place: 3, count: 4 }), { exact: true })).toBeAttached();
  await page.keyboard.press("Space");
  await expect.poll(names).toEqual([second, third, first, fourth]);
  await byKeyboard;
  await page.keyboard.press("Space");
  await page.keyboard.press("Home");
  await page.keyboard.press("Escape");
  await expect(page.getByText(say("gallery:arrange.cancelled"))).toBeAttached();
  await expect.poll(names).toEqual([second, third, first, fourth]);
  // By pointer: the last photo is moved before the first.
  const [from, to] = [await tiles(page).last().boundingBox(), await tiles(page).first().boundingBox()];
  if (!from || !to) throw new Error("The photos are not in sight");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 5 });
  await page.mouse.move(to.x + 10, to.y + to.height / 2);
  const byHand = saved();
  await page.mouse.up();
  await expect.poll(names).toEqual([fourth, second, third, first]);
  await byHand;
  await expect(page.getByText(say("gallery:arrange.saved"), { exact: true }).last()).toBeVisible();
  await page.reload();
  await toGallery(page);
  await expect.poll(names).toEqual([fourth, second, third, first]);

  // Two photos are deleted and restored.
  await tiles(page).first().hover();
  await page.getByRole("checkbox").first().click();
  await tiles(page).nth(1).locator("a").click();
  const bar = page.getByRole("toolbar", { name: say("gallery:select.bar") });
  await expect(bar).toContainText(say("gallery:select.count", { count: 2 }));
  await bar.getByRole("button", { name: say("gallery:select.delete") }).click();
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole("button", { name: say("media:delete.undo") }).click();
  await expect.poll(names).toEqual([fourth, second, third, first]);
  const { count } = await ada.client
    .from("media")
    .select("id", { count: "exact", head: true })
    .eq("memory_id", memory.id);
  expect(count).toBe(4);
});

test("a memory without a cover gets one in the cover window: first the photo, then its focal point", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await page.getByRole("menuitem", { name: say("gallery:cover.edit") }).click();
  const box = page.getByRole("dialog");
  await expect(box.getByRole("listitem").getByRole("button")).toHaveCount(2);
  await box.getByRole("button", { name: /canon/ }).click();
  await box.getByRole("slider").press("Shift+ArrowLeft");
  await box.getByRole("button", { name: say("gallery:cover.save") }).click();
  await expect(page.getByText(say("gallery:cover.saved"), { exact: true })).toBeVisible();
  const stored = async () => {
    const { data } = await ada.client
      .from("memories")
      .select("cover_x,cover:media(caption)")
      .eq("id", memory.id)
      .eq("cover.is_cover", true)
      .single();
    return data;
  };
  await expect.poll(stored).toEqual({ cover_x: 0.4, cover: [{ caption: "canon" }] });

  // Another photo begins with its middle.
  await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await page.getByRole("menuitem", { name: say("gallery:cover.edit") }).click();
  await box.getByRole("button", { name: say("gallery:cover.other") }).click();
  await expect(box.getByRole("button", { name: /canon/ })).toHaveAttribute("aria-pressed", "true");
  await box.getByRole("button", { name: /kodak/ }).click();
  await expect(box.getByRole("slider")).toHaveAttribute("aria-valuenow", "50");
  await expect.poll(stored).toEqual({ cover_x: 0.5, cover: [{ caption: "kodak-1998" }] });
});

test("on a phone the last tab of an event's page scrolls out of the fade that shows that more follows", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, [], { kind: "event", birth_date: null, passing_date: null });
  const page = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await page.goto(`/memory/${memory.id}`);
  const tabs = page.getByRole("navigation", { name: say("memories:sections.label") }).getByRole("list");
  const last = tabs.getByRole("link").last();
  await expect(last).toBeVisible();
  expect(await tabs.evaluate((list) => getComputedStyle(list).maskImage)).toContain("gradient");
  const end = await tabs.evaluate((list) => {
    list.scrollLeft = list.scrollWidth;
    return list.querySelector("li:last-child")?.getBoundingClientRect().right ?? 0;
  });
  // The fade is 40 pixels wide.
  expect(Math.floor(end)).toBeLessThanOrEqual(320);
});

test("a visitor sees the owner's dates and cover point, sorts the photos, and plays a slideshow", async ({
  visit,
  person,
}) => {
  const say = textsIn("it");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths(...FILES));
  const { data: photos } = await ada.client.from("media").select("id").eq("memory_id", memory.id).order("taken_order");
  await ada.client.rpc("set_cover", { media_id: photos?.[0]?.id }).throwOnError();

  // Eleven hours behind and fourteen ahead of Greenwich, the birthday is the same, also after it was edited.
  const owner = await visit({ as: ada, language: "it", timezoneId: "Pacific/Midway" });
  await owner.goto(`/memory/${memory.id}`);
  await expect(owner.getByText("12 marzo 1931 – 4 maggio 2019")).toBeVisible();
  await owner.getByRole("button", { name: say("memories:page.edit"), exact: true }).click();
  const birth = dateField(owner, say("memories:fields.birth"));
  await expect(birth.getByLabel(say("dateField:day"), { exact: true })).toHaveValue("12");
  await expect(birth.getByLabel(say("dateField:month"), { exact: true })).toHaveValue("3");
  await fillDate(dateField(owner, say("memories:fields.passing")), say, { day: "5", month: "5", year: "2019" });
  await owner.getByRole("button", { name: say("memories:page.save") }).click();
  await expect(owner.getByText("12 marzo 1931 – 5 maggio 2019")).toBeVisible();

  await owner.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await owner.getByRole("menuitem", { name: say("gallery:cover.edit") }).click();
  const point = owner.getByRole("slider");
  await point.press("Shift+ArrowLeft");
  await point.press("ArrowUp");
  await owner.getByRole("button", { name: say("gallery:cover.save") }).click();
  await expect(owner.getByText(say("gallery:cover.saved"), { exact: true })).toBeVisible();

  const guest = await visit({
    language: "it",
    timezoneId: "Pacific/Kiritimati",
    viewport: { width: 360, height: 740 },
  });
  let bringGallery = () => {};
  const gallery = new Promise<void>((resolve) => {
    bringGallery = resolve;
  });
  await guest.route("**/assets/rest-*.js", (route) => gallery.then(() => route.continue()));
  await guest.goto(`/shared/${memory.share_id}`);
  await expect(guest.getByText("12 marzo 1931 – 5 maggio 2019")).toBeVisible();
  await expect(guest.locator("article img").first()).toHaveCSS("object-position", "40% 48%");
  const sections = guest.getByRole("navigation", { name: say("memories:sections.label") });
  // A link to a section works even before the section has loaded.
  await sections.getByRole("link", { name: say("memories:sections.conversation") }).click();
  bringGallery();
  await expect(guest.getByRole("heading", { name: say("comments:title"), exact: true })).toBeInViewport();
  await sections.getByRole("link", { name: say("media:photos") }).click();
  await expect(sections.locator("[aria-current]")).toHaveText(`${say("media:photos")}4`);
  // The tabs follow when the page is scrolled up, too.
  await sections.getByRole("link", { name: say("memories:sections.conversation") }).click();
  await expect(sections.locator("[aria-current]")).toContainText(say("memories:sections.conversation"));
  await guest.mouse.move(640, 400);
  await expect(async () => {
    await guest.mouse.wheel(0, -150);
    await expect(sections.locator("[aria-current]")).toHaveText(`${say("media:photos")}4`, { timeout: 500 });
  }).toPass();
  await toGallery(guest);
  await expect(tiles(guest)).toHaveCount(4);
  const before = await tileNames(guest);
  await guest.getByRole("button", { name: say("gallery:order.open") }).click();
  await guest.getByRole("menuitemradio", { name: say("gallery:order.newest") }).click();
  await expect.poll(() => tileNames(guest)).not.toEqual(before);
  await expect(tiles(guest)).toHaveCount(4);
  await expect(guest.getByRole("button", { name: say("gallery:arrange.start") })).toHaveCount(0);

  // The slideshow advances by itself, and stops on request.
  await tiles(guest).first().locator("a").click();
  const box = guest.getByRole("dialog");
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 1, count: 4 }));
  await guest.clock.install();
  await guest.getByRole("button", { name: say("gallery:details.more") }).click();
  // The test controls the page's clock from before the slideshow begins until it stops, however slow the machine is.
  await guest.clock.pauseAt(Date.now() + 30_000);
  await guest.getByRole("menuitem", { name: say("gallery:slideshow.play") }).click();
  await expect(guest.getByRole("button", { name: say("gallery:slideshow.pause") })).toBeVisible();
  await guest.clock.runFor(6_000);
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 2, count: 4 }));
  await guest.getByRole("button", { name: say("gallery:slideshow.pause") }).click();
  await guest.clock.runFor(20_000);
  await guest.clock.resume();
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 2, count: 4 }));
});
