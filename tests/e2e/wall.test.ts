import { expect, test } from "../support/e2e.ts";
import { addPhoto, memoryWith } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const en = textsIn("en");

test("hosts make a wall and steer it from a phone, and its screens show only what may be seen", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/the server responded with a status of (401|404)/);
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg"), { person_name: "Rosa Bellini" });
  await ada.client.from("comments").insert({ memory_id: id, body: "She sang in the kitchen" }).throwOnError();
  await ada.client.from("reactions").insert({ memory_id: id, kind: "candle" }).throwOnError();

  // Made in the memory's menu, with a link for adding that waits for approval.
  const host = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true, as: ada });
  await host.goto(`/memory/${id}`);
  await host.getByRole("button", { name: en("memories:page.more"), exact: true }).click();
  await host.getByRole("button", { name: en("memories:page.wall"), exact: true }).click();
  await host.getByRole("button", { name: en("wallControl:begin.button"), exact: true }).click();
  const field = host.getByLabel(en("wallControl:address.label"), { exact: true });
  await expect(field).toBeVisible();
  const address = await field.inputValue();
  const link = await ada.client.from("share_links").select().eq("memory_id", id).eq("rights", "upload").single();
  expect(link.data).toMatchObject({ moderated: true });

  // A tribute begins with words and candles.
  const screen = await visit({ viewport: { width: 1920, height: 1080 } });
  await screen.goto(new URL(address).pathname);
  await expect(screen.getByText("She sang in the kitchen")).toBeVisible();
  await expect(screen.getByText("Rosa Bellini")).toBeVisible();
  await expect(screen.getByRole("img", { name: en("wall:qr") })).toBeVisible();
  await expect(screen.locator("main img")).toHaveCount(0);
  await host.getByLabel(en("wallControl:shows.pictures")).click();
  await host.getByLabel(en("wallControl:shows.words")).click();
  const picture = screen.locator("main img");
  await expect(picture.first()).toBeVisible();
  await expect(screen.getByText("She sang in the kitchen")).toHaveCount(0);

  // What waits for approval is not shown; once approved it is, within one picture's time.
  const [other] = await photoPaths("kodak-1998.jpg");
  await addPhoto(ada, id, other ?? "");
  const { data: added } = await ada.client
    .from("media")
    .select("id")
    .neq("caption", "gps-nikon")
    .eq("memory_id", id)
    .single()
    .throwOnError();
  await host.getByLabel(en("wallControl:pace.label")).selectOption("5");
  const present = screen.locator("[data-item][aria-hidden=false]");
  await expect(present).toHaveAttribute("data-item", added.id);
  await expect(present.locator("img")).toBeVisible();
  // Two pictures take turns.
  await expect(present).not.toHaveAttribute("data-item", added.id);
  await expect(present).toHaveAttribute("data-item", added.id);

  // The remote shows the same picture, and hides it on every screen.
  await host.getByRole("button", { name: en("wallControl:remote.pause") }).click();
  await expect(host.getByRole("button", { name: en("wallControl:remote.play") })).toBeVisible();
  const itemId = await present.getAttribute("data-item");
  const tile = host.locator(`[data-on-wall="${itemId}"]`);
  await expect(tile).toBeVisible();
  await tile.getByRole("button", { name: en("wallControl:remote.hide") }).click();
  await expect(screen.locator(`[data-item="${itemId}"]`)).toHaveCount(0);

  // Layout and room follow, and a wall that is off is dark within a second, until it is on again.
  await host.getByText(en("wallControl:layout.mosaic")).click();
  await host.getByText(en("wallControl:room.light")).click();
  await expect(screen.locator("html")).toHaveAttribute("data-theme", "light");
  await host.getByLabel(en("wallControl:on.label")).click();
  await expect(screen.getByRole("heading", { name: en("wall:off.title") })).toBeVisible();
  await expect(picture).toHaveCount(0);
  await host.getByLabel(en("wallControl:on.label")).click();
  await expect(picture.first()).toBeVisible();
});
