import { expect, PHONE, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { tiles, toGallery } from "../support/gallery.ts";
import { enterPin, expectPhotos, register, setPin } from "../support/journey.ts";
import { makeOlder } from "../support/older-phone.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("on an iPhone of 2017 a person registers and shares photos, and a guest opens them, and comments", {
  tag: "@sample",
}, async ({ visit, server, expectedErrors }) => {
  expectedErrors.push(/open-share.*status of 401/);
  const page = await visit(PHONE);
  await makeOlder(page);
  await register(page, say);
  expect(await page.evaluate(() => "any" in AbortSignal || "canParse" in URL || "json" in Response)).toBe(false);
  await page.getByRole("link", { name: say("memories:list.new") }).click();
  await page.getByLabel(say("memories:fields.name"), { exact: true }).fill("Rosa Bellini");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([await noise("garden.jpg"), await noise("lake.jpg")]);
  await page.getByRole("button", { name: say("memories:new.create") }).click();
  await expectPhotos(page, 2);
  const share = page.getByRole("button", { name: say("sharing:share"), exact: true });
  await share.click();
  await setPin(page, say, "0417");
  const memoryId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const links = server.service().from("share_links").select("share_id").eq("memory_id", memoryId);
  const { data: link } = await links.single().throwOnError();
  // The first Escape closes the toast, the second the window, which gives the focus back.
  await page.keyboard.press("Escape");
  await expect(page.getByText(say("sharing:pin.wasUpdated"), { exact: true })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(share).toBeFocused();

  const guest = await visit(PHONE);
  await makeOlder(guest);
  await guest.goto(`/shared/${link.share_id}`);
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true })).toBeVisible();
  await toGallery(guest);
  await tiles(guest).first().getByRole("link").click();
  await expect(guest.getByRole("dialog")).toBeVisible();
  await guest.keyboard.press("Escape");
  await guest.getByLabel(say("comments:write.label")).fill("See www.example.com");
  await guest.getByRole("button", { name: say("comments:write.send"), exact: true }).click();
  await guest.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Gina");
  await guest.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "www.example.com" })).toBeVisible();
});
