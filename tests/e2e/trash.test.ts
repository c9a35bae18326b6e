import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

test("Spec §4: a photo and a memory are deleted, restored, and gone for good once the trash is emptied", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // A picture may still be requested while it is deleted, and the visitor's page checks whether the link still opens.
  expectedErrors.push(/render\/image.*status of 40[04]/, /open-share.*status of 410/);
  const say = textsIn("it");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "orientation-6.jpg"));
  const page = await visit({ as: ada, language: "it" });
  const trash = page.getByRole("region", { name: say("trash:title") });
  const rows = trash.getByRole("listitem");
  const restore = (name: string) => page.getByRole("button", { name: say("trash:restoreNamed", { name }) });

  // A photo is restored from its memory's own list.
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole("link", { name: /gps-nikon/ }).click();
  await page.getByRole("button", { name: say("media:lightbox.delete") }).click();
  await expect(page.getByText(say("media:delete.done", { count: 1 }), { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tiles(page)).toHaveCount(1);
  await page.getByRole("button", { name: say("trash:title") }).click();
  await expect(page.getByRole("dialog").getByText(say("trash:kinds.image"))).toBeVisible();
  await expectAccessible(page);
  await restore("gps-nikon").click();
  await expect(page.getByRole("dialog").getByText(say("trash:empty"))).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("common:close") })
    .click();
  await expect(tiles(page)).toHaveCount(2);

  // The memory is deleted, and its link is closed until it is restored.
  const visitor = await visit();
  await visitor.goto(`/shared/${memory.share_id}`);
  await expect(visitor.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
  const removeMemory = async () => {
    await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("memories:page.delete") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("memories:page.deleteIt"), exact: true })
      .click();
    await expect(page).toHaveURL("/");
    // While the dialog closes, its cancel button has the same name as the undo button.
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await removeMemory();
  await expect(page.getByText(say("undo:kept"), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("memories:page.undo"), exact: true }).click();
  await page.getByRole("link", { name: /Rosa Bellini/ }).click();
  await removeMemory();
  await expect(visitor.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/dashboard#trash");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Rosa Bellini");
  const since = (ago: string, count: number) =>
    rows.getByText(say("trash:when", { ago, left: say("trash:left", { count }) }), { exact: true });
  // After midnight, the text says "yesterday".
  await expect(since("oggi", 30).or(since("ieri", 29))).toBeVisible();
  await restore("Rosa Bellini").click();
  await expect(trash.getByText(say("trash:empty"))).toBeVisible();
  expect((await ada.client.from("media").select("id")).data).toHaveLength(2);

  // Both are deleted permanently.
  const { data: photo } = await ada.client
    .from("media")
    .select("object_name")
    .eq("caption", "gps-nikon")
    .single()
    .throwOnError();
  expect((await ada.client.storage.from("media").remove([photo.object_name])).error).toBeNull();
  await expect(rows).toHaveCount(1);
  await trash.getByRole("button", { name: say("trash:deleteNamed", { name: "gps-nikon" }) }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("trash:deleteForever"), exact: true })
    .click();
  await expect(trash.getByText(say("trash:empty"))).toBeVisible();
  await ada.client.from("memories").delete().eq("id", memory.id).throwOnError();
  await expect(rows).toHaveCount(1);
  await trash.getByRole("button", { name: say("trash:emptyAll") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("trash:emptyAll"), exact: true })
    .click();
  await expect(trash.getByText(say("trash:empty"))).toBeVisible();
  await expect
    .poll(async () => (await ada.client.rpc("storage_stats")).data)
    .toMatchObject({ totalSize: 0, trash: { bytes: 0 } });
});

test("on phones and tablets a sheet lists what can be done with a memory now, deleting last, and gives the focus back", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await memoryWith(ada, []);
  const page = await visit({ as: ada });
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`/memory/${memory.id}`);
    await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
    // Only what has a use now: there is nothing to download, to choose a cover from or to approve.
    const sheet = page.getByRole("dialog");
    const actions = [
      "memories:page.edit",
      "day:edit.first",
      "people:open",
      "memories:page.wall",
      "notices:memory.open",
      "albums:choose.action",
    ];
    await expect(sheet.getByRole("listitem")).toHaveText([...actions, "memories:page.delete"].map((text) => say(text)));
    await expectAccessible(page);
    const box = await sheet.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    // What an action opens gives the focus back to the button of the sheet.
    await sheet.getByRole("button", { name: say("people:open"), exact: true }).click();
    await expect(page.getByRole("dialog", { name: say("people:title") })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: say("memories:page.more"), exact: true })).toBeFocused();
  }
});
