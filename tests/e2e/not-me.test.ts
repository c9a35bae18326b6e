import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const button = (page: Page, key: Parameters<typeof say>[0], values?: Parameters<typeof say>[1]) =>
  page.getByRole("button", { name: say(key, values), exact: true });

/** A black photo with a white square, the face, in its left half. */
async function facePhoto(): Promise<string> {
  const path = test.info().outputPath("face.jpg");
  const face = await sharp({ create: { width: 60, height: 60, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  await sharp({ create: { width: 900, height: 600, channels: 3, background: "#000" } })
    .composite([{ input: face, left: 195, top: 270 }])
    .jpeg({ quality: 95 })
    .toFile(path);
  return path;
}

/** How bright the middle of the face is in the open photo, from 0 to 255. */
const brightness = (page: Page) =>
  page
    .locator("[role=dialog] img")
    .first()
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      return context?.getImageData(canvas.width * 0.25, canvas.height * 0.5, 1, 1).data[0] ?? 0;
    })
    .catch(() => undefined);

const openMenu = (page: Page) =>
  page
    .getByRole("dialog")
    .getByRole("button", { name: say("gallery:details.more") })
    .click();

test("a guest without an account asks to be blurred, a manager blurs, and the guest sees it at once", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, [await facePhoto()], { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const { data } = await ada.client.from("media").select("id").eq("memory_id", memory.id).single().throwOnError();

  const guest = await visit({ ...PHONE, viewport: { width: 360, height: 740 } });
  await guest.goto(`/shared/${memory.share_id}?photo=${data.id}`);
  await expect.poll(() => brightness(guest)).toBeGreaterThan(200);
  await openMenu(guest);
  await guest.getByRole("menuitem", { name: say("reports:notMe") }).click();
  await guest.getByLabel(say("notMe:words")).fill("I am the one on the left.");
  await guest.getByLabel(say("notMe:name"), { exact: true }).fill("Zia May");
  await expectAccessible(guest);
  await button(guest, "notMe:submit").click();
  await expect(guest.getByText(say("notMe:askedText"))).toBeVisible();
  // Taken back and asked again, which the managers see as one.
  await button(guest, "notMe:withdraw").click();
  await guest.getByLabel(say("notMe:words")).fill("I am the one on the left.");
  await button(guest, "notMe:submit").click();
  await button(guest, "notMe:close").click();

  const host = await visit({ as: ada });
  await host.goto(`/memory/${memory.id}/waiting`);
  await expect(host.getByRole("heading", { name: say("notMe:list") })).toBeVisible();
  await expect(host.getByText("I am the one on the left.")).toHaveCount(1);
  await expectAccessible(host);
  await button(host, "notMe:blurHere").click();
  const dialog = host.getByRole("dialog", { name: say("blurring:title") });
  const picture = dialog.getByRole("img", { name: say("blurring:picture") });
  await expect(picture).toBeVisible();
  const box = await picture.boundingBox();
  if (!box) throw new Error("There is no picture");
  await host.mouse.move(box.x + box.width * 0.05, box.y + box.height * 0.1);
  await host.mouse.down();
  await host.mouse.move(box.x + box.width * 0.45, box.y + box.height * 0.9, { steps: 5 });
  await host.mouse.up();
  await expect(dialog.getByRole("status")).toHaveText(say("blurring:parts", { count: 1 }));
  await expectAccessible(host);
  await dialog.getByRole("button", { name: say("blurring:save"), exact: true }).click();
  await expect(host.getByText(say("notMe:done"), { exact: true })).toBeVisible();
  await expect(host.getByRole("heading", { name: say("notMe:list") })).toHaveCount(0);

  await expect.poll(() => brightness(guest)).toBeLessThan(120);
  const { data: row } = await ada.client.from("media").select("edit").eq("id", data.id).single().throwOnError();
  expect(row.edit?.blur).toHaveLength(1);
  const { data: requests } = await ada.client.from("picture_requests").select("state").throwOnError();
  expect(requests).toEqual([{ state: "done" }]);
});

test("parts are added, moved and removed by keys, and stay when the photo is shown as taken", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, [await facePhoto()], { person_name: "Nonna Rosa" });
  const { data } = await ada.client.from("media").select("id").eq("memory_id", memory.id).single().throwOnError();
  const edit = async () =>
    (await ada.client.from("media").select("edit").eq("id", data.id).single().throwOnError()).data.edit;
  const page = await visit({ as: ada, ...PHONE });
  await page.goto(`/memory/${memory.id}?photo=${data.id}`);
  const dialog = page.getByRole("dialog", { name: say("blurring:title") });
  const openDialog = async () => {
    await openMenu(page);
    await page.getByRole("menuitem", { name: say("editing:blur") }).click();
    await expect(dialog).toBeVisible();
  };
  const part = (number: number) => dialog.getByRole("button", { name: say("blurring:part", { number }) });
  await openDialog();
  await expect(dialog.getByRole("status")).toHaveText(say("blurring:parts", { count: 0 }));
  await dialog.getByRole("button", { name: say("blurring:add") }).press("Enter");
  await dialog.getByRole("button", { name: say("blurring:add") }).press("Enter");
  await part(2).focus();
  await page.keyboard.press("Delete");
  await expect(part(2)).toHaveCount(0);
  await part(1).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("ArrowUp");
  await dialog.getByRole("button", { name: say("blurring:corner", { number: 1 }) }).press("Shift+ArrowDown");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("blurring:save"), exact: true }).press("Enter");
  await expect.poll(edit).toMatchObject({ turn: 0, crop: [0, 0, 1, 1], blur: [[0.3, 0.34, 0.2, 0.4]] });

  // Turned and shown as taken, the part stays blurred.
  await ada.client.rpc("turn_media", { ids: [data.id], degrees: 90 }).throwOnError();
  await openMenu(page);
  await page.getByRole("menuitem", { name: say("editing:asTaken") }).click();
  await expect.poll(edit).toMatchObject({ turn: 0, blur: [[0.3, 0.34, 0.2, 0.4]] });
  await openDialog();
  await dialog.getByRole("button", { name: say("blurring:remove", { number: 1 }) }).click();
  await dialog.getByRole("button", { name: say("blurring:save"), exact: true }).click();
  await expect.poll(edit).toBeNull();
});

test.describe("on a phone that keeps copies", () => {
  test.use({ serviceWorkers: "allow" });

  /** How bright the middle of the face is in each stored picture. */
  const stored = (page: Page) =>
    page.evaluate(async () => {
      const values: number[] = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          if (!request.url.includes("/pictures/")) continue;
          const response = await cache.match(request);
          const image = response && (await createImageBitmap(await response.blob()));
          if (!image) continue;
          const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
          context?.drawImage(image, 0, 0);
          const x = Math.floor(image.width * 0.25);
          values.push(context?.getImageData(x, Math.floor(image.height * 0.5), 1, 1).data[0] ?? 255);
        }
      }
      return values;
    });

  test("no stored picture shows what is blurred, once the page was opened again", async ({ visit, person }) => {
    const ada = await person("Ada");
    const memory = await memoryWith(ada, [await facePhoto()], { person_name: "Nonna Rosa" });
    await shareFirstLink(ada.client, memory.id);
    const { data } = await ada.client.from("media").select("id").eq("memory_id", memory.id).single().throwOnError();
    const phone = await visit(PHONE);
    const page = `/shared/${memory.share_id}`;
    await phone.goto(page);
    await expect.poll(async () => (await stored(phone)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await phone.goto(`${page}?photo=${data.id}`);
    await expect.poll(() => brightness(phone)).toBeGreaterThan(200);
    // Another size, as of another window, is stored, too.
    await phone
      .locator("[role=dialog] img")
      .first()
      .evaluate((image: HTMLImageElement) => fetch(image.currentSrc.replace(/width=\d+/, "width=320")).then(() => {}));
    await expect.poll(async () => (await stored(phone)).length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(Math.min(...(await stored(phone)))).toBeGreaterThan(200);
    await phone.goto("about:blank");

    const edit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1], blur: [[0.05, 0.1, 0.4, 0.8]] };
    await ada.client.from("media").update({ edit }).eq("id", data.id).throwOnError();
    await phone.goto(page);
    await expect.poll(async () => Math.max(...(await stored(phone))), { timeout: 60_000 }).toBeLessThan(120);
  });
});
