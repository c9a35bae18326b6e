import type { Locator, Page } from "@playwright/test";
import { dateField, fillDate } from "../support/date-field.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { countTaps } from "../support/taps.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const create = (page: Page) => page.getByRole("button", { name: say("memories:new.create") });

/** Waits until an element is in the window, above the bar with the button. */
async function expectAboveBar(page: Page, element: Locator) {
  const bar = page.locator("[data-foot]");
  const edges = async () => ({
    top: (await element.boundingBox())?.y ?? -1,
    room: ((await bar.boundingBox())?.y ?? 0) - ((await element.boundingBox())?.y ?? 0),
    height: (await element.boundingBox())?.height ?? 0,
  });
  await expect.poll(async () => (await edges()).top).toBeGreaterThanOrEqual(0);
  await expect.poll(async () => (await edges()).room - (await edges()).height).toBeGreaterThanOrEqual(0);
}

test("Spec §5: a new memory begins with its name, folds what few need, and shows the first error above its bar", async ({
  visit,
  person,
}) => {
  const page = await visit({ as: await person("Ada"), ...PHONE });
  await page.goto("/memory/new");
  const name = page.getByLabel(say("memories:fields.name"), { exact: true });
  const choose = page.getByRole("button", { name: say("media:choose"), exact: true });
  await expect(name).toBeInViewport();
  await expect(choose).toBeInViewport();
  expect((await name.boundingBox())?.y).toBeLessThan((await choose.boundingBox())?.y ?? 0);
  await expect(page.getByText(say("media:dropHint"))).toBeHidden();
  await page.getByText(say("media:whichFiles")).click();
  await expect(page.getByText(say("media:dropHint"))).toBeVisible();

  // The date of death opens with the focus in it.
  const passing = dateField(page, say("memories:fields.passing"));
  await expect(passing).toHaveCount(0);
  await page.getByRole("button", { name: say("memories:fields.addPassing") }).click();
  await expect(passing.getByLabel(say("dateField:day"), { exact: true })).toBeFocused();
  await fillDate(passing, say, { day: "31", month: "2", year: "2020" });

  // From the end of the page, the first error is above it; with that mended, the next one is.
  await page.getByLabel(say("memories:fields.story")).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 4000);
  await create(page).click();
  await expect(name).toBeFocused();
  await expectAboveBar(page, page.getByText(say("memories:fields.errors.required")));
  await name.fill("Rosa");
  await page.mouse.wheel(0, -4000);
  await create(page).click();
  await expect(passing.getByLabel(say("dateField:day"), { exact: true })).toBeFocused();
  await expectAboveBar(page, page.getByText(say("memories:fields.errors.day")));
});

test("from the home page on a phone, six taps and four fields lead to a tribute's photos, link and PIN", async ({
  visit,
}) => {
  const page = await visit(PHONE);
  const counted = await countTaps(page);
  await page.goto("/");
  await page
    .getByRole("link", { name: say("layout:startFree") })
    .first()
    .tap();
  await page.getByLabel(say("account:fullName")).fill("Ada Rossi");
  await page.getByLabel(say("account:email")).fill(`ada.${crypto.randomUUID().slice(0, 8)}@example.com`);
  await page.getByLabel(say("account:password"), { exact: true }).fill("a chair in the garden");
  await page.getByRole("button", { name: say("account:register.submit") }).tap();
  await page.getByRole("link", { name: say("memories:list.new") }).tap();
  await page.getByLabel(say("memories:fields.name"), { exact: true }).fill("Rosa Bellini");
  const picker = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: say("media:choose"), exact: true }).tap();
  await (await picker).setFiles([await noise("garden.jpg"), await noise("lake.jpg")]);
  await create(page).tap();
  await page.getByRole("button", { name: say("sharing:share"), exact: true }).tap();
  await expect(page.getByRole("dialog").getByLabel(say("sharing:secret.pin"), { exact: true })).toHaveText(/^\d{4}$/);
  const { taps, fields } = await counted();
  expect(taps).toBe(6);
  expect(fields).toHaveLength(4);
});

test("Spec §5: a refused file is said once, beside the photos, can be closed, and is on no other page", async ({
  visit,
  person,
}) => {
  const page = await visit({ as: await person("Ada"), ...PHONE });
  await page.goto("/memory/new");
  const program = { name: "holiday.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ\x90 this is a program") };
  const input = page.locator("input[type=file][multiple]").first();
  const refused = page.getByText(say("media:problem.type"), { exact: true });
  await input.setInputFiles(program);
  // The file is a tile until it has been checked, and then a line of its own.
  await expect(refused).toHaveCount(1);
  await page.getByRole("button", { name: say("media:upload.remove", { name: program.name }) }).click();
  await expect(refused).toHaveCount(0);
  await input.setInputFiles(program);
  await expect(refused).toHaveCount(1);

  // Neither another page nor the memory itself repeats it.
  await page.getByLabel(say("memories:fields.name"), { exact: true }).fill("Rosa");
  await create(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  await expect(page.getByRole("link", { name: say("media:upload.problems", { count: 1 }) })).toHaveCount(0);
  await expect(refused).toHaveCount(0);

  // On the memory's page a link leads to the advice if it is out of sight, and can be closed.
  await page.locator("input[type=file][multiple]").first().setInputFiles(program);
  const link = page.getByRole("link", { name: say("media:upload.problems", { count: 1 }) });
  await expect(refused.or(link).first()).toBeVisible();
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(link).toHaveCount(0);
});
