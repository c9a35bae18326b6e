import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("a photo gets a heart in one tap, from a guest too, and the gallery shows one's own and the most loved", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg", "gps-nikon.jpg"));
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "comment" }, "share_id");
  const [page, guest] = [await visit({ as: ada }), await visit({ viewport: { width: 360, height: 740 } })];
  await Promise.all([page.goto(`/memory/${memory.id}`), guest.goto(`/shared/${link.share_id}`)]);
  await Promise.all([toGallery(page), toGallery(guest)]);
  const heart = (on: typeof page, photo: string) =>
    tiles(on)
      .and(on.locator(`:has([href*="${photo}"])`))
      .locator("[data-heart]");
  const { data: media } = await ada.client.from("media_details").select("media_id, file_name").throwOnError();
  const idOf = (name: string) => String(media?.find(({ file_name }) => file_name === name)?.media_id);
  const [canon, kodak] = [idOf("canon.jpg"), idOf("kodak-1998.jpg")];

  // A guest without a name is asked for it, and the heart follows by itself.
  await heart(guest, kodak).click();
  await guest.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await expect(heart(guest, kodak)).toHaveAttribute("aria-pressed", "true");
  await expect(heart(page, kodak)).toContainText("1");
  await expect(heart(page, kodak)).toHaveAttribute("aria-pressed", "false");

  await heart(page, kodak).click();
  await heart(page, canon).click();
  await expect(heart(guest, kodak)).toContainText("2");
  await expectAccessible(page);

  const choose = async (filter: string) => {
    await page.getByRole("button", { name: say("gallery:order.open") }).click();
    await page.getByRole("menuitemradio", { name: say(`gallery:filter.${filter}`) }).click();
  };
  await choose("loved");
  await expect(tiles(page)).toHaveCount(2);
  await expect(tiles(page).first()).toHaveAttribute("data-photo", kodak);
  await choose("mine");
  await expect(tiles(page)).toHaveCount(2);

  // In the lightbox the heart is taken back; the photo stays open, and the others can be reached.
  await tiles(page).first().getByRole("link").click();
  const own = page.getByRole("dialog").getByRole("button", { name: say("gallery:hearts.mine") });
  await expect(own).toHaveAttribute("aria-pressed", "true");
  await own.click();
  await expect(own).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Escape");
  await expect(tiles(page)).toHaveCount(1);
  await page.getByRole("button", { name: say("gallery:filter.end") }).click();
  await expect(tiles(page)).toHaveCount(3);
  await page.reload();
  await toGallery(page);
  await expect(page.locator("[data-heart][aria-pressed=true]")).toHaveCount(1);
});

test("a visitor who may only look sees hearts and gives none", { tag: "@sample" }, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "view" }, "share_id");
  const { data: photo } = await ada.client
    .from("media")
    .select("id")
    .eq("memory_id", memory.id)
    .single()
    .throwOnError();
  await ada.client
    .from("reactions")
    .insert({ memory_id: memory.id, media_id: photo?.id, kind: "heart" })
    .throwOnError();
  const visitor = await visit();
  await visitor.goto(`/shared/${link.share_id}`);
  await toGallery(visitor);
  await expect(tiles(visitor).getByText(say("gallery:hearts.count", { count: 1 }), { exact: true })).toBeAttached();
  await expect(visitor.locator("[data-heart]")).toHaveCount(0);
});
