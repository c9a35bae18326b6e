import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";
import { tinyVideo } from "../support/tiny-video.ts";

const say = textsIn("en");

/** The zoom factor of the open photo. */
const enlarged = (page: Page) =>
  page
    .getByRole("dialog")
    .locator("img")
    .evaluate((img) => {
      const { width = 0 } = img.parentElement?.getBoundingClientRect() ?? {};
      return Math.round((width / (img.parentElement?.offsetWidth ?? 1)) * 100) / 100;
    });

test("a photo is zoomed by keys, double click, pinch and double tap", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada, viewport: { width: 390, height: 800 } });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await tiles(page).first().locator("a").click();
  const box = page.getByRole("dialog");
  const title = say("media:lightbox.title", { number: 1, count: 2 });
  await expect(box).toHaveAccessibleName(title);
  await expect.poll(() => enlarged(page)).toBe(1);

  await page.keyboard.press("+");
  await expect.poll(() => enlarged(page)).toBe(1.5);
  await page.keyboard.press("=");
  await expect.poll(() => enlarged(page)).toBe(2.25);
  await page.keyboard.press("-");
  await expect.poll(() => enlarged(page)).toBe(1.5);
  await page.keyboard.press("0");
  await expect.poll(() => enlarged(page)).toBe(1);
  await page.keyboard.press("-");
  await expect.poll(() => enlarged(page)).toBe(1);

  // A plus in a caption is text, not a zoom key.
  await box.getByRole("button", { name: say("gallery:details.show") }).click();
  const caption = box.getByRole("textbox", { name: say("gallery:details.caption") });
  await caption.fill("");
  await page.keyboard.type("1+1-0");
  await expect(caption).toHaveValue("1+1-0");
  expect(await enlarged(page)).toBe(1);
  await box.getByRole("button", { name: say("gallery:details.close") }).click();

  const middle = { x: 195, y: 400 };
  await page.mouse.dblclick(middle.x, middle.y);
  await expect.poll(() => enlarged(page)).toBe(2.5);
  await page.mouse.dblclick(middle.x, middle.y);
  await expect.poll(() => enlarged(page)).toBe(1);

  const fingers = await touchesOn(page);
  await fingers.pinch(middle, 80, 240);
  await expect.poll(() => enlarged(page)).toBe(3);
  // Zooming out with two fingers is not a swipe to the next photo, and does not close this one.
  await fingers.pinch(middle, 300, 60);
  await expect.poll(() => enlarged(page)).toBe(1);
  await expect(box).toHaveAccessibleName(title);
  await expect(async () => {
    await fingers.tap(middle);
    await fingers.tap(middle);
    expect(await enlarged(page)).toBeGreaterThan(1);
  }).toPass();
});

test("on phones and upright tablets a photo stays in view above its details and its conversation", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const page = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await tiles(page).first().locator("a").click();
  const box = page.getByRole("dialog");
  const photo = box.locator("img").first();
  const panels = [
    ["gallery:details.show", "gallery:details.title"],
    ["comments:photo.open", "comments:title"],
  ];
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 768, height: 1024 },
  ]) {
    await page.setViewportSize(viewport);
    for (const [open = "", title = ""] of panels) {
      await box.getByRole("button", { name: say(open) }).click();
      const panel = box.getByRole("region", { name: say(title) });
      await expect(async () => {
        const [photoBox, below] = await Promise.all([photo.boundingBox(), panel.boundingBox()]);
        expect(photoBox && photoBox.y + photoBox.height).toBeLessThanOrEqual(below?.y ?? 0);
        expect(photoBox?.height).toBeGreaterThan(viewport.height / 5);
      }).toPass();
    }
  }
});

test("the lightbox's bar is one row on the narrowest phone, and the title of a video says that it is one", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // The tiny video has no picture to decode.
  expectedErrors.push(/status of 422/);
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const { error } = await ada.client.storage
    .from("media")
    .upload(`${memory.id}/${randomUUID()}.mp4`, tinyVideo(), { contentType: "video/mp4" });
  expect(error).toBeNull();
  const page = await visit({ as: ada, viewport: { width: 320, height: 640 } });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await expect(tiles(page)).toHaveCount(3);
  await tiles(page).first().locator("a").click();
  const box = page.getByRole("dialog");
  const heading = box.getByRole("heading").first();
  await expect(heading).toHaveText(say("media:lightbox.title", { number: 1, count: 3 }));

  await expect(box.getByRole("button", { name: say("comments:photo.open") })).toBeVisible();
  const bar = heading.locator("..");
  const row = await bar.evaluate((element) => {
    const boxes = [...element.children].map((child) => child.getBoundingClientRect()).filter(({ width }) => width > 0);
    return {
      middles: new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size,
      end: Math.max(...boxes.map(({ right }) => right)),
      targets: Math.min(...[...element.querySelectorAll("button")].map((one) => one.offsetWidth).filter(Boolean)),
    };
  });
  expect(row).toMatchObject({ middles: 1 });
  expect(row.end).toBeLessThanOrEqual(320);
  expect(row.targets).toBeGreaterThanOrEqual(44);
  expect(await heading.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);

  // A slideshow begins in the menu. The bar with its stop button is also one row.
  await box.getByRole("button", { name: say("gallery:details.more") }).click();
  await page.getByRole("menuitem", { name: say("gallery:slideshow.play") }).click();
  await expect(box.getByRole("button", { name: say("gallery:slideshow.pause") })).toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  await box.getByRole("button", { name: say("gallery:slideshow.pause") }).click();

  await page.keyboard.press("End");
  await expect(heading).toHaveText("Video 3 of 3");
});

test("a copied picture is added by pasting it on the memory's page, but not by pasting it into a text field", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, []);
  const page = await visit({ as: ada, permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`/memory/${memory.id}`);
  await expect(page.getByText(say("media:none"), { exact: true })).toBeVisible();
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 480);
    const pen = canvas.getContext("2d");
    if (pen) {
      pen.fillStyle = "#3a7";
      pen.fillRect(0, 0, 640, 480);
    }
    const blob = await canvas.convertToBlob({ type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  });
  await page.getByRole("textbox", { name: say("comments:write.label") }).press("Control+V");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Control+V");
  await expect(tiles(page)).toHaveCount(1);
  await expect
    .poll(async () => (await ada.client.from("media").select("state,type").eq("memory_id", memory.id)).data)
    .toEqual([{ state: "ready", type: "image" }]);
});

interface Point {
  x: number;
  y: number;
}

/** Touches on a page, which the browser itself reports. */
async function touchesOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  return {
    /** Taps with one finger. */
    async tap(at: Point) {
      await send("touchStart", [at]);
      await send("touchEnd", []);
    },
    /** Moves two fingers on a horizontal line around a point, from one distance to another. */
    async pinch({ x, y }: Point, from: number, to: number, steps = 8) {
      const apart = (distance: number) => [
        { x: x - distance / 2, y },
        { x: x + distance / 2, y },
      ];
      await send("touchStart", apart(from));
      for (let step = 1; step <= steps; step++) await send("touchMove", apart(from + ((to - from) * step) / steps));
      await send("touchEnd", []);
    },
  };
}

test("a description that is written while the caption is being saved is saved as well", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await tiles(page).first().getByRole("link").click();
  await page.getByRole("button", { name: say("gallery:details.show") }).click();
  // The first change is on its way until the description has been left.
  let leave = () => {};
  const leaving = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let isHeld = false;
  await page.route(/\/rest\/v1\/media\?/, async (route, request) => {
    if (request.method() === "PATCH" && !isHeld) {
      isHeld = true;
      await leaving;
    }
    await route.fallback();
  });
  const caption = page.getByLabel(say("gallery:details.caption"), { exact: true });
  const description = page.getByLabel(say("gallery:details.alt"), { exact: true });
  await caption.fill("The harvest");
  await caption.blur();
  await expect.poll(() => isHeld).toBe(true);
  await description.fill("A man with a scythe");
  await description.blur();
  leave();
  const stored = () =>
    ada.client.from("media").select("caption,alt_text").eq("memory_id", memory.id).single().throwOnError();
  await expect
    .poll(async () => (await stored()).data)
    .toEqual({ caption: "The harvest", alt_text: "A man with a scythe" });
  await expect(page.getByText(say("gallery:details.saved"), { exact: true })).toBeVisible();
});
