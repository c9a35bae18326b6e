import { expect, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
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

test("a guest on a phone adds a photo with three taps and one field after the PIN", async ({ visit, person }) => {
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

test("what waited for a visitor's name is given up when they close the question", async ({ visit, person }) => {
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
