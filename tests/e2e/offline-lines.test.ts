import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { builds, expectKept, serviceWorkers } from "../support/offline.ts";
import { photoPaths } from "../support/photos.ts";
import { type TwoBuilds, twoBuilds } from "../support/two-builds.ts";

test.use({ serviceWorkers: "allow" });

const heading = (page: Page) => page.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true });

let site: TwoBuilds;
test.beforeEach(async ({ server }) => {
  site = await twoBuilds(server.url);
});
test.afterEach(() => site.close());

test("a network that drops while the browser thinks it is online shows the copy, not an error", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_/, /WebSocket/, /Failed to fetch/, /status of 401/);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const page = await visit({ as: ada, at: site.url, ...PHONE });
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 1);
  await page.goto("/dashboard");
  const card = page.getByRole("link", { name: /Rosa Bellini/ }).first();
  await expect(card).toBeVisible();
  site.become("cut");
  await card.click();
  await expect(heading(page)).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await page.reload();
  await expect(heading(page)).toBeVisible();
  site.become("silent");
  await page.reload();
  await expect(heading(page)).toBeVisible();
  // The page of a link arrives, and its data do not.
  site.become("first");
  const visitor = await visit({ at: site.url, ...PHONE });
  await visitor.goto(`/shared/${rosa.share_id}`);
  await expect(heading(visitor)).toBeVisible();
  await expectKept(visitor, 1);
  site.become("pages only");
  await visitor.reload();
  await expect(heading(visitor)).toBeVisible();
});

test("an update never mixes two builds, and an open page goes on working", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_/, /WebSocket/, /Failed to fetch/, /status of 40[14]/);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const page = await visit({ as: ada, at: site.url, ...PHONE });
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 1);
  expect(await builds(page)).toEqual({ kept: ["first"], shown: "first" });

  // The open page has its files, and goes on.
  site.become("second");
  await toGallery(page);
  await tiles(page).first().getByRole("link").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect.poll(async () => (await builds(page)).kept).toEqual(["first", "second"]);
  expect((await builds(page)).shown).toBe("first");
  await page.keyboard.press("Escape");

  // While it is open, a page without a network is whole, too.
  site.become("cut");
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  expect(await builds(page)).toEqual({ kept: ["first", "second"], shown: "first" });
  // A page from the network is of the second build.
  site.become("second");
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 1);
  expect(await builds(page)).toEqual({ kept: ["first", "second"], shown: "second" });

  // After the last page of the first build has closed, only the second one stays. No page is open until it has taken over.
  const next = await page.context().newPage();
  const versions = await serviceWorkers(next);
  await page.close();
  await expect.poll(() => [...versions.values()].filter((status) => status !== "redundant")).toEqual(["activated"]);
  await next.goto(`/memory/${rosa.id}`);
  await expect(heading(next)).toBeVisible();
  expect((await builds(next)).kept).toEqual(["second"]);
  site.become("cut");
  await next.reload();
  await expect(heading(next)).toBeVisible();
  expect(await builds(next)).toEqual({ kept: ["second"], shown: "second" });
});
