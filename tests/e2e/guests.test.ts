import { expect, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { countTaps } from "../support/taps.ts";
import { textsIn } from "../support/texts.ts";

const en = textsIn("en");
const phone = { width: 360, height: 740 };

test("an upload-only link says whose day it is, shows no content, and asks for a name after the photos", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, {
    kind: "event",
    person_name: "Rosa e Ugo",
    event_date: "2024-06-01",
    description: "<p>Only for us.</p>",
  });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "upload" }, "share_id");
  const guest = await visit({ viewport: phone });
  await guest.goto(`/shared/${link.share_id}`);
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa e Ugo" })).toBeVisible();
  await expect(guest.getByText("1 June 2024")).toBeVisible();
  await expect(guest.getByText("Only for us.")).toHaveCount(0);
  const section = guest.getByRole("region", { name: en("guests:add.titleFor", { name: "Rosa e Ugo" }) });
  const picker = guest.waitForEvent("filechooser");
  await section.getByRole("button", { name: en("guests:add.photos") }).click();
  await (await picker).setFiles(await noise("garden.jpg"));
  // Closing the dialog loses nothing.
  await guest.getByRole("dialog").press("Escape");
  await expect(section.getByText(en("guests:add.chosen", { count: 1 }))).toBeVisible();
  await section.getByRole("button", { name: en("guests:add.giveName") }).click();
  await guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  const receipt = guest.getByRole("region", { name: en("guests:mine.title") }).getByText(/garden\.jpg/);
  await expect(receipt).toBeVisible({ timeout: 180_000 });
  await guest.reload();
  await expect(receipt).toBeVisible();

  // The link of an email makes them the same guest on another device, and its secret does not stay in the URL.
  const key = await guest.evaluate(
    () => Object.entries({ ...localStorage }).find(([name]) => name.startsWith("skies-guest-"))?.[1],
  );
  const elsewhere = await visit({ viewport: phone, colorScheme: "dark" });
  await elsewhere.goto(`/shared/${link.share_id}#guest=${key}`);
  await expect(elsewhere.getByText(/garden\.jpg/)).toBeVisible();
  await expect(elsewhere).toHaveURL(/^[^#]+$/);

  await guest.getByRole("button", { name: en("reports:open") }).click();
  await guest.getByLabel(en("reports:reasons.unwanted")).check();
  await guest.getByRole("button", { name: en("reports:submit") }).click();
  await expect(guest.getByText(en("reports:sentTitle"))).toBeVisible();
});

test("a guest on a phone adds a photo with three taps and one field after the PIN", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { kind: "event", person_name: "Rosa e Ugo" });
  const row = { memory_id: memory.id, rights: "contribute" };
  const link = await newRow(ada.client, "share_links", row, "id", "share_id");
  const body = { linkId: link.id, pin: "0417" };
  expect((await ada.client.functions.invoke("share-pin", { body })).error).toBeNull();
  const guest = await visit({ viewport: phone, hasTouch: true });
  const counted = await countTaps(guest);
  await guest.goto(`/shared/${link.share_id}`);
  // The first box has the focus, so the keypad needs no tap.
  await expect(guest.getByLabel(en("shareGate:pin.digit", { number: 1 }))).toBeFocused();
  await guest.keyboard.type("0417");
  const picker = guest.waitForEvent("filechooser");
  const add = guest.getByRole("button", { name: en("guests:add.hero"), exact: true });
  await expect(add).toBeInViewport();
  const withPin = await counted();
  await add.tap();
  await (await picker).setFiles(await noise("garden.jpg"));
  const name = guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true });
  await expect(name).toBeFocused();
  await name.fill("Ugo");
  await guest
    .getByRole("dialog")
    .getByRole("button", { name: en("guests:sign.submit") })
    .tap();
  const receipt = guest.getByRole("region", { name: en("guests:mine.title") }).getByText(/garden\.jpg/);
  await expect(receipt).toBeVisible({ timeout: 180_000 });
  await expect(receipt).toBeInViewport();
  // Beside them, the photo is tapped in the system's own window.
  const { taps, fields } = await counted();
  expect([withPin.taps, taps]).toEqual([0, 2]);
  expect(fields.length - withPin.fields.length).toBe(1);
});

test("what waited for a visitor's name is given up when they close the question", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "comment" }, "share_id");
  const guest = await visit({ viewport: phone });
  await guest.goto(`/shared/${link.share_id}`);
  const candle = guest.getByRole("button", { name: en("comments:candle.give") });
  await candle.click();
  await guest.getByRole("dialog").press("Escape");
  await expect(guest.getByRole("dialog")).toHaveCount(0);

  // The name is given for a comment. It lights no candle.
  await guest.getByLabel(en("comments:write.label")).fill("She sang.");
  await guest.getByRole("button", { name: en("comments:write.send"), exact: true }).click();
  await guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await expect(guest.locator("[data-comment]", { hasText: "She sang." })).toContainText("Ugo");
  await expect(candle).toHaveAttribute("aria-pressed", "false");
  const { data } = await ada.client.from("reactions").select("kind").eq("memory_id", memory.id).throwOnError();
  expect(data).toEqual([]);
});

test("a visitor writes a comment before a name, and then only is offered an account", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "comment" }, "share_id");
  const guest = await visit({ viewport: phone });
  await guest.goto(`/shared/${link.share_id}`);
  const field = guest.getByLabel(en("comments:write.label"));
  await field.fill("She sang.");
  const send = guest.getByRole("button", { name: en("comments:write.send"), exact: true });
  const signIn = guest.getByRole("link", { name: en("comments:who.login"), exact: true }).last();
  const top = async (place: typeof send) => (await place.boundingBox())?.y ?? 0;
  expect(await top(send)).toBeLessThan(await top(signIn));
  await send.click();
  // Closing the dialog loses nothing.
  await guest.getByRole("dialog").press("Escape");
  await expect(field).toHaveValue("She sang.");
  await send.click();
  await guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await expect(guest.locator("[data-comment]", { hasText: "She sang." })).toContainText("Ugo");
  await expect(field).toHaveValue("");
});

test("a signed-in visitor of a link recognises their own comment, heart, words and photo", async ({
  visit,
  person,
}) => {
  const [ada, bob] = [await person("Ada"), await person("Bob Bruni")];
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "contribute" }, "share_id");
  const hers = { memory_id: memory.id, body: "She sang." };
  await ada.client.from("comments").insert(hers).throwOnError();
  await ada.client.from("stories").insert({ memory_id: memory.id, body: "<p>Her story.</p>" }).throwOnError();
  const page = await visit({ as: bob });
  await page.goto(`/shared/${link.share_id}`);

  await toGallery(page);
  const heart = tiles(page).locator("[data-heart]");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  const own = page.getByRole("region", { name: en("guests:mine.title") });
  const picker = page.waitForEvent("filechooser");
  await page
    .getByRole("button", { name: en("guests:add.photos") })
    .first()
    .click();
  await (await picker).setFiles(await noise("garden.jpg"));
  await expect(own.getByText(/garden\.jpg/)).toBeVisible({ timeout: 180_000 });
  await page.getByRole("button", { name: en("guests:add.words") }).click();
  await page.getByLabel(en("guests:write.label")).fill("Every Sunday.");
  await page.getByRole("button", { name: en("guests:write.send") }).click();
  await expect(own.getByText("Every Sunday.")).toBeVisible();
  await page.getByLabel(en("comments:write.label")).fill("In winter too.");
  await page.getByRole("button", { name: en("comments:write.send"), exact: true }).click();
  await expect(page.locator("[data-comment]", { hasText: "In winter too." })).toContainText("Bob Bruni");

  // Read again from the server, which tells no other account's id.
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/rest/v1/")) answers.push(await response.text().catch(() => ""));
  });
  await page.reload();
  await toGallery(page);
  await expect(page.locator("[data-heart][aria-pressed=true]")).toHaveCount(1);
  await expect(own.getByText(/garden\.jpg/)).toBeVisible();
  await expect(own.getByText("Every Sunday.")).toBeVisible();
  await expect(own.getByText("Her story.")).toHaveCount(0);
  const more = (name: string) => page.getByRole("button", { name: en("comments:read.more", { name }) });
  await more("Ada").click();
  await expect(page.getByRole("menuitem", { name: en("comments:read.edit") })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await more("Bob Bruni").click();
  await page.getByRole("menuitem", { name: en("comments:read.edit") }).click();
  await page.getByLabel(en("comments:write.edit")).fill("In winter, too.");
  await page.getByRole("button", { name: en("comments:write.save"), exact: true }).click();
  await expect(page.locator("[data-comment]", { hasText: "In winter, too." })).toContainText(
    en("comments:read.edited"),
  );
  expect(answers.join()).toContain("In winter too.");
  expect(answers.join()).not.toContain(ada.id);
});
