import type { Page } from "@playwright/test";
import { findChromium } from "../../scripts/suites/browser.mjs";
import { expect, test } from "../support/e2e.ts";
import type { Person } from "../support/people.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const rec = (key: string) => say(`recording:${key}`);

// The browser's own microphone of a beep each second.
test.use({
  launchOptions: {
    executablePath: findChromium(),
    args: ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
  },
});

const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, key: string) =>
  dialog(page)
    .getByRole("button", { name: rec(key), exact: true })
    .click();

/** The seconds that the open dialog shows. */
const seconds = async (page: Page) =>
  Number(
    (
      await dialog(page)
        .getByText(/^\d:\d\d$/)
        .textContent()
    )?.slice(2) ?? 0,
  );
const recordsFor = (page: Page, least: number) =>
  expect.poll(() => seconds(page), { timeout: 60_000 }).toBeGreaterThanOrEqual(least);

const recordingsIn = async ({ client }: Person, memoryId: string) =>
  (await client.from("media").select("type,playback,duration").eq("memory_id", memoryId).throwOnError()).data;

test("a member records in one press, pauses, listens and adds; a closed tab loses nothing", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // A page that is closed before it reads the answer asks again, and hears that the recording is stored.
  expectedErrors.push(/upload\/resumable.*status of (404|409)/);
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: rec("start"), exact: true }).click();
  await expect(dialog(page).getByText(rec("recording"), { exact: true }).last()).toBeVisible();
  await recordsFor(page, 2);
  await expect(dialog(page).locator("[data-level]")).not.toHaveAttribute("data-level", "0.00");
  await press(page, "pause");
  await expect(dialog(page).getByText(rec("paused"), { exact: true })).toBeVisible();
  await press(page, "resume");
  await recordsFor(page, 3);
  await press(page, "stop");
  await expect(dialog(page).getByText(rec("ended"), { exact: true })).toBeVisible();
  await expect(dialog(page).locator("audio")).toBeVisible();
  await press(page, "add");
  await expect
    .poll(() => recordingsIn(ada, memory.id), { timeout: 180_000 })
    .toEqual([expect.objectContaining({ type: "audio", playback: "ready" })]);
  const [added] = await recordingsIn(ada, memory.id);
  expect(added?.duration).toBeGreaterThan(2);

  // The page is closed in the middle of the next one.
  await page.reload();
  await page.getByRole("button", { name: rec("start"), exact: true }).click();
  await recordsFor(page, 3);
  await page.reload();
  await page.getByRole("button", { name: rec("unfinished") }).click();
  await expect(dialog(page).getByText(rec("found"), { exact: true })).toBeVisible();
  await press(page, "add");
  await expect.poll(async () => (await recordingsIn(ada, memory.id)).length, { timeout: 180_000 }).toBe(2);
  await page.reload();
  await expect(page.getByRole("button", { name: rec("start"), exact: true })).toBeVisible();
});

test("a guest of a link records before giving a name, and the recording is added under it", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  const row = { memory_id: memory.id, rights: "contribute" };
  const link = await newRow(ada.client, "share_links", row, "share_id");
  const page = await visit({ viewport: { width: 360, height: 740 } });
  await page.goto(`/shared/${link.share_id}`);
  await page.getByRole("button", { name: rec("start"), exact: true }).click();
  await recordsFor(page, 2);
  await press(page, "stop");
  await press(page, "add");
  await dialog(page).getByLabel(say("guests:sign.name"), { exact: true }).fill("Zia Carla");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => recordingsIn(ada, memory.id), { timeout: 180_000 })
    .toEqual([expect.objectContaining({ type: "audio" })]);
});
