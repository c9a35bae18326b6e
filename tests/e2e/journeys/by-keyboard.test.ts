import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../../support/e2e.ts";
import { expectPhotos } from "../../support/journey.ts";
import { photoPaths } from "../../support/photos.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("it");

/** Presses Tab until the target has the focus. Fails if Tab does not reach it. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function press(page: Page, target: Locator, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

test("a memory is created, shared, opened, browsed and commented on by keyboard only", async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/open-share.*status of 401/);
  const page = await visit({ language: "it" });
  await page.goto("/");
  await press(page, page.getByRole("link", { name: say("layout:startFree") }).first());
  await type(page, page.getByLabel(say("account:fullName")), "Ada Rossi");
  await type(page, page.getByLabel(say("account:email")), `ada.${Date.now()}@example.com`);
  await type(page, page.getByLabel(say("account:password"), { exact: true }), "a chair in the garden");
  await page.keyboard.press("Enter");

  await press(page, page.getByRole("link", { name: say("memories:list.new") }));
  await type(page, page.getByLabel(say("memories:fields.name"), { exact: true }), "Rosa Bellini");
  const chosen = page.waitForEvent("filechooser");
  await press(page, page.getByRole("button", { name: say("media:choose") }));
  await (await chosen).setFiles(await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  await press(page, page.getByRole("button", { name: say("memories:new.create") }));
  await expect(page).toHaveURL(/\/memory\/[0-9a-f-]{36}$/);
  await expectPhotos(page, 2);

  // The lightbox opens and closes, and the focus returns to its photo.
  const first = page.locator('a[href*="photo="]').first();
  await press(page, first);
  const box = page.getByRole("dialog");
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 1, count: 2 }));
  await page.keyboard.press("ArrowRight");
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 2, count: 2 }));
  await page.keyboard.press("Home");
  await expect(box).toHaveAccessibleName(say("media:lightbox.title", { number: 1, count: 2 }));
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(first).toBeFocused();

  await page.keyboard.press("Home");
  await press(page, page.getByRole("button", { name: say("sharing:share"), exact: true }));
  const link = await page.getByLabel(say("sharing:link"), { exact: true }).inputValue();
  await press(page, page.getByRole("button", { name: say("sharing:rights.title") }));
  await press(page, page.getByRole("radio", { name: say("sharing:rights.commentText") }), "ArrowDown");
  await expect(page.getByRole("radio", { name: say("sharing:rights.contributeText") })).toBeChecked();
  await press(page, page.getByRole("button", { name: say("sharing:pin.update") }));
  await tabTo(page, page.getByLabel(say("shareGate:pin.digit", { number: 1 })));
  await page.keyboard.type("0417");
  await press(page, page.getByRole("button", { name: say("sharing:pin.save") }));
  await expect(page.getByText(say("sharing:pin.wasUpdated"), { exact: true })).toBeVisible();
  // The first Escape closes the toast, the second the dialog under it.
  await page.keyboard.press("Escape");
  await expect(page.getByText(say("sharing:pin.wasUpdated"), { exact: true })).toBeHidden();
  await press(page, page.getByRole("button", { name: say("sharing:more.title") }));
  await expect(page.getByRole("button", { name: say("sharing:list.add") })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: say("sharing:share"), exact: true })).toBeFocused();

  const guest = await visit({ language: "it" });
  await guest.goto(link);
  // The first box already has the focus.
  await expect(guest.getByLabel(say("shareGate:pin.digit", { number: 1 }))).toBeFocused();
  await guest.keyboard.type("0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();

  // A photo and the next one, and back to the page at the first one.
  const photo = guest.locator('[data-gallery] a[href*="photo="]').first();
  await press(guest, photo);
  const view = guest.getByRole("dialog");
  await expect(view).toHaveAccessibleName(say("media:lightbox.title", { number: 1, count: 2 }));
  await guest.keyboard.press("ArrowRight");
  await expect(view).toHaveAccessibleName(say("media:lightbox.title", { number: 2, count: 2 }));
  await guest.keyboard.press("Escape");
  await expect(view).toBeHidden();

  // A comment, under a name that the page asks for once.
  await type(guest, guest.getByLabel(say("comments:write.label")), "Cantava sempre.");
  await guest.keyboard.press("Control+Enter");
  await type(guest, guest.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }), "Zia Pina");
  await guest.keyboard.press("Enter");
  await expect(guest.locator("[data-comment]", { hasText: "Cantava sempre." })).toContainText("Zia Pina");
});
