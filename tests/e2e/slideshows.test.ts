import { readFile } from "node:fs/promises";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const en = textsIn("en");
const it = textsIn("it");

test("hosts make a slideshow and arrange it by keyboard, and guests play it; a hidden photo vanishes at once", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const paths = await photoPaths("gps-nikon.jpg", "kodak-1998.jpg", "dated.jpg");
  const memory = await memoryWith(ada, paths);
  const host = await visit({ as: ada });
  await host.goto(`/memory/${memory.id}/slideshows`);
  await host.getByRole("button", { name: en("slideshows:add"), exact: true }).click();
  await host.getByRole("button", { name: en("slideshows:choose.open"), exact: true }).click();
  const dialog = host.getByRole("dialog", { name: en("slideshows:choose.title"), exact: true });
  await dialog.getByRole("button", { name: en("slideshows:choose.all"), exact: true }).click();
  await expectAccessible(host);
  await dialog
    .getByRole("button", { name: en("slideshows:choose.done", { photos: en("slideshows:photos", { count: 3 }) }) })
    .click();
  const photos = host.getByRole("region", { name: en("slideshows:photosTitle"), exact: true }).getByRole("listitem");
  await expect(photos).toHaveCount(3);
  const first = (await photos.first().getByRole("img").getAttribute("alt")) ?? "";
  await photos
    .first()
    .getByRole("button", { name: en("slideshows:order.move", { name: first }), exact: true })
    .press("Enter");
  await host.keyboard.press("End");
  await host.keyboard.press("Enter");
  await expect(photos.last().getByRole("img", { name: first })).toBeVisible();
  const name = host.getByLabel(en("slideshows:name"), { exact: true });
  await name.fill("Her years");
  await name.blur();
  await host.getByLabel(en("slideshows:pace.label"), { exact: true }).selectOption("3");
  await expect
    .poll(async () => {
      const { data } = await ada.client
        .from("slideshows")
        .select("title,pace,items:slideshow_items(position)")
        .throwOnError();
      return data.map(({ items, ...row }) => ({ ...row, items: items.length }));
    })
    .toEqual([{ title: "Her years", pace: 3, items: 3 }]);
  await expectAccessible(host);

  // Arrow keys move, it fills the screen, and Escape ends it.
  await host.getByRole("button", { name: en("slideshows:play"), exact: true }).click();
  const player = host.getByRole("dialog", { name: "Her years", exact: true });
  await expect(player.getByText(en("slideshows:player.place", { place: 1, count: 3 }), { exact: true })).toBeVisible();
  await host.keyboard.press("ArrowLeft");
  await expect(player.getByRole("img", { name: first, exact: true })).toBeVisible();
  await expect.poll(() => host.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await player.getByRole("button", { name: en("slideshows:player.close"), exact: true }).click();
  await expect(player).toHaveCount(0);
  await expect.poll(() => host.evaluate(() => document.fullscreenElement)).toBeNull();

  const guest = await visit({ ...PHONE, language: "it" });
  await guest.goto(`/shared/${memory.share_id}`);
  await guest.getByRole("button", { name: it("slideshows:card.play", { title: "Her years" }), exact: true }).click();
  const playing = guest.getByRole("dialog", { name: "Her years", exact: true });
  await expect(playing.getByText(it("slideshows:player.place", { place: 2, count: 3 }), { exact: true })).toBeVisible();
  await playing.getByRole("button", { name: it("slideshows:player.pause"), exact: true }).click();
  await expectAccessible(guest);
  const { data } = await ada.client.from("media").select("id").eq("caption", first).single().throwOnError();
  await ada.client.rpc("moderate", { items: [{ kind: "media", id: data.id }], decision: "hidden" }).throwOnError();
  await expect(playing.getByText(/\/ 2/)).toBeVisible();
  await playing.getByRole("button", { name: it("slideshows:player.close"), exact: true }).click();
  await expect(playing).toHaveCount(0);

  // It is saved as a film for a projector without a network. A changed name is another film; a hidden photo ends it.
  await host.getByRole("button", { name: en("slideshows:film.make"), exact: true }).click();
  const film = host.getByRole("region", { name: en("slideshows:film.title"), exact: true });
  await expect(film.getByRole("progressbar", { name: en("slideshows:film.making") })).toBeVisible();
  await expectAccessible(host);
  const save = film.getByRole("button", { name: en("slideshows:film.save"), exact: true });
  await expect(save).toBeVisible({ timeout: 300_000 });
  await expectAccessible(host);
  const downloading = host.waitForEvent("download");
  await save.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Her years.mp4");
  expect((await readFile(await download.path())).toString("latin1", 4, 8)).toBe("ftyp");
  await host.getByLabel(en("slideshows:pace.label"), { exact: true }).selectOption("5");
  await expect(film.getByText(en("slideshows:film.old"), { exact: true })).toBeVisible();
  const remaining = await ada.client.from("media").select("id").neq("caption", first).limit(1).single().throwOnError();
  await ada.client
    .rpc("moderate", { items: [{ kind: "media", id: remaining.data.id }], decision: "hidden" })
    .throwOnError();
  await expect(film.getByText(en("slideshows:film.withdrawn"), { exact: true })).toBeVisible();
  await expect(save).toHaveCount(0);
});
