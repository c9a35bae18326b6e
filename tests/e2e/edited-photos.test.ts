import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { Database as Schema } from "../../shared/database.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import type { Person } from "../support/people.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** A photo whose left half is red and right half blue. */
const redAndBlue = async (name: string) => ({
  name,
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: "#c01818" } })
    .composite([
      { input: { create: { width: 450, height: 600, channels: 3, background: "#1818c0" } }, gravity: "east" },
    ])
    .withExif({ IFD0: { ImageDescription: name } })
    .jpeg()
    .toBuffer(),
});

/** The picture that a page shows of a photo: its shape, and the colours at its left and its top. */
const shownIn = (page: Page, place: string) =>
  page
    .locator(place)
    .locator("img")
    .first()
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      const colourAt = (x: number, y: number) => {
        const [red = 0, , blue = 0] = context?.getImageData(canvas.width * x, canvas.height * y, 1, 1).data ?? [];
        return red > blue ? "red" : "blue";
      };
      const shape = image.naturalWidth > image.naturalHeight ? "wide" : "high";
      return `${shape}, left ${colourAt(0.1, 0.5)}, top ${colourAt(0.5, 0.1)}`;
    })
    .catch(() => "");
const AS_TAKEN = /^wide, left red/;
/** After a quarter turn to the right, what was left is above. */
const RIGHT = /^high, .* top red$/;
const LEFT = /^high, .* top blue$/;

/** Adds a photo to a new memory by its page; resolves when it is ready. `row` reads its row. */
async function addPhoto(page: Page, { client }: Person) {
  const memory = await newMemory(client, { person_name: "Nonna Rosa" });
  await page.goto(`/memory/${memory.id}`);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([await redAndBlue("One.jpg")]);
  const row = async () =>
    (await client.from("media").select("id,state,edit").eq("memory_id", memory.id).maybeSingle()).data;
  await expect.poll(async () => (await row())?.state, { timeout: 120_000 }).toBe("ready");
  return { memory, row };
}

type Row = Schema["public"]["Tables"]["media"]["Row"];

test("photos are turned in the lightbox and from a selection, undone, saved as shown or as taken, and seen so by others at once", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  const [one, other] = [await redAndBlue("One.jpg"), await redAndBlue("Other.jpg")];
  await page.locator("input[type=file]").first().setInputFiles([one, other]);
  const rows = async () =>
    ((await ada.client.from("media").select("id,state,edit,file_name").eq("memory_id", memory.id).throwOnError())
      .data ?? []) as unknown as (Pick<Row, "id" | "state" | "edit"> & { file_name: string })[];
  await expect
    .poll(async () => (await rows()).map(({ state }) => state), { timeout: 120_000 })
    .toEqual(["ready", "ready"]);
  const idOf = async (name: string) => (await rows()).find(({ file_name }) => file_name === name)?.id ?? "";
  const ids = [await idOf("One.jpg"), await idOf("Other.jpg")];
  const tile = (id: string | undefined) => `[data-gallery] [data-photo="${id}"]`;

  const visitor = await visit({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce" });
  await visitor.goto(`/shared/${memory.share_id}?photo=${ids[0]}`);
  await expect.poll(() => shownIn(visitor, "[role=dialog]")).toMatch(AS_TAKEN);

  // Turned in the lightbox; somebody else sees it without a reload.
  await page.goto(`/memory/${memory.id}?photo=${ids[0]}`);
  const menu = (name: Parameters<typeof say>[0]) => page.getByRole("menuitem", { name: say(name), exact: true });
  const openMenu = () =>
    page
      .getByRole("dialog")
      .getByRole("button", { name: say("gallery:details.more") })
      .click();
  await openMenu();
  await expect(menu("editing:asTaken")).toHaveCount(0);
  await menu("editing:right").click();
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(RIGHT);
  await expect.poll(() => shownIn(visitor, "[role=dialog]")).toMatch(RIGHT);
  await expectAccessible(page);

  // Saved as it is shown, and as its file.
  const saved = async (name: Parameters<typeof say>[0]) => {
    await openMenu();
    const [download] = await Promise.all([page.waitForEvent("download"), menu(name).click()]);
    return readFile(await download.path());
  };
  expect((await saved("editing:original")).equals(one.buffer)).toBe(true);

  // Shown as taken for ever: after a reload, too.
  await page.reload();
  await openMenu();
  await menu("editing:asTaken").click();
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(AS_TAKEN);
  await page.getByRole("button", { name: say("editing:undo"), exact: true }).click();
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(RIGHT);

  // Both from a selection, each as it is shown, and undone.
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("gallery:select.start"), exact: true }).click();
  for (const id of ids) await page.locator(`a[href*="${id}"]`).first().click();
  const bar = page.getByRole("toolbar", { name: say("gallery:select.bar") });
  await bar.getByRole("button", { name: say("editing:left") }).click();
  await expect.poll(() => shownIn(page, tile(ids[0]))).toMatch(AS_TAKEN);
  await expect.poll(() => shownIn(page, tile(ids[1]))).toMatch(LEFT);
  await expectAccessible(page);
  await page.getByRole("button", { name: say("editing:undo"), exact: true }).click();
  await expect.poll(() => shownIn(page, tile(ids[0]))).toMatch(RIGHT);
  await expect.poll(() => shownIn(page, tile(ids[1]))).toMatch(AS_TAKEN);
  await expect(bar).toBeVisible();
});

test("a photo that somebody else has edited meanwhile keeps their edit, and its viewer is told", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const ada = await person("Ada");
  const page = await visit({ as: ada, ...PHONE });
  const { memory, row } = await addPhoto(page, ada);
  const id = (await row())?.id ?? "";
  const turn = (degrees: number) => ada.client.rpc("turn_media", { ids: [id], degrees }).throwOnError();
  await turn(90);
  await page.goto(`/memory/${memory.id}?photo=${id}`);
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(RIGHT);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("gallery:details.more") })
    .click();
  const asTaken = page.getByRole("menuitem", { name: say("editing:asTaken") });
  await expect(asTaken).toBeVisible();
  // Before the page has heard of the other's change.
  await page.route("**/rest/v1/media?*", async (route) => {
    if (route.request().method() === "PATCH") await turn(90);
    await route.fallback();
  });
  await asTaken.click();
  await expect(page.getByText(say("editing:conflict"), { exact: true })).toBeVisible();
  expect((await row())?.edit).toMatchObject({ turn: 180 });
  await expectAccessible(page);
});

test("Spec §3: a photo is straightened and cropped by keyboard, pointer and shape, on a phone, and undone", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada, ...PHONE });
  const { memory, row } = await addPhoto(page, ada);
  await page.goto(`/memory/${memory.id}?photo=${(await row())?.id}`);
  const dialog = page.getByRole("dialog", { name: say("cropping:title") });
  const openDialog = async () => {
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("gallery:details.more") })
      .click();
    await page.getByRole("menuitem", { name: say("editing:crop") }).click();
    await expect(dialog).toBeVisible();
  };
  const save = () => dialog.getByRole("button", { name: say("cropping:save"), exact: true }).click();
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(AS_TAKEN);
  await openDialog();
  await expectAccessible(page);
  await dialog.getByText(say("cropping:square"), { exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText(say("cropping:size", { width: 600, height: 600 }));
  await dialog.getByRole("button", { name: say("cropping:area") }).focus();
  // To the left edge, which is red.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Shift+ArrowLeft");
  await save();
  await expect.poll(async () => (await row())?.edit).toMatchObject({ turn: 0, straighten: 0, crop: [0, 0, 0.6667, 1] });
  await expect.poll(() => shownIn(page, "[role=dialog]")).toMatch(/left red/);

  // The dialog begins with the stored edit, and shows what was cut off.
  await openDialog();
  await dialog.getByText(say("cropping:free"), { exact: true }).click();
  await dialog.getByRole("slider").focus();
  for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowRight");
  const corner = dialog.getByRole("button", { name: say("cropping:bottomRight") });
  await corner.focus();
  await page.keyboard.press("Shift+ArrowUp");
  const box = await corner.boundingBox();
  if (!box) throw new Error("There is no corner");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 20, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await save();
  await expect
    .poll(async () => (await row())?.edit)
    .toMatchObject({ straighten: 0.5, crop: [0, 0, expect.any(Number), 0.9] });
  expect((await row())?.edit?.crop[2]).toBeLessThan(0.66);
  await page.getByRole("button", { name: say("editing:undo"), exact: true }).click();
  await expect.poll(async () => (await row())?.edit).toMatchObject({ straighten: 0, crop: [0, 0, 0.6667, 1] });
});
