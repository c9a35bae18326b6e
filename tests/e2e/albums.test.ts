import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { enterPin, setPin } from "../support/journey.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

test("Spec §3: memories are put into an album, arranged, and shared by one link with a PIN", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // The share gate asks for the PIN. A picture may be requested just when a change of the album invalidates its URL.
  expectedErrors.push(/open-share.*status of (401|410)/, /render\/image.*status of 404/);
  const say = textsIn("it");
  const ada = await person("Ada", { plan: "skies-memories" });
  const rosa = await memoryWith(ada, await photoPaths("gps-nikon.jpg"));
  const { error } = await ada.client.from("memories").insert([
    { person_name: "Estate al lago", draft: false },
    { person_name: "In preparazione", draft: true },
  ]);
  expect(error).toBeNull();

  const page = await visit({ as: ada, language: "it" });
  await page.goto("/");
  await page.getByRole("link", { name: say("layout:albums"), exact: true }).click();
  await expect(page.getByText(say("albums:emptyTitle"))).toBeVisible();
  await page.getByRole("button", { name: say("albums:new") }).click();
  await page.getByLabel(say("albums:name")).fill("Famiglia Bellini");
  await page.getByRole("button", { name: say("albums:create") }).click();

  // A draft is not offered.
  await page
    .getByRole("button", { name: say("albums:put") })
    .first()
    .click();
  await expect(page.getByRole("checkbox")).toHaveCount(2);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: say("albums:done", { count: 2 }) }).click();
  const names = page.locator("[data-arranged] h2");
  await expect(names).toHaveCount(2);
  const [first = "", second = ""] = await names.allInnerTexts();

  await page.getByRole("button", { name: say("albums:arrange") }).click();
  await page.getByRole("button", { name: say("albums:order.move", { name: first }) }).press("Enter");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(say("albums:order.at", { place: 2, count: 2 }), { exact: true })).toBeAttached();
  await page.keyboard.press("Enter");
  await expect(names).toHaveText([second, first]);
  await expect
    .poll(async () => {
      const { data } = await ada.client
        .from("memories")
        .select("person_name")
        .gt("album_position", 0)
        .order("album_position");
      return data?.map(({ person_name }) => person_name);
    })
    .toEqual([second, first]);

  await page.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await setPin(page, say, "0417");
  const link = await page.getByLabel(say("sharing:link"), { exact: true }).inputValue();

  const guest = await visit({ language: "it", viewport: { width: 390, height: 844 } });
  await guest.goto(link);
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Famiglia Bellini" })).toBeVisible();
  await expect(guest.getByRole("article").getByRole("heading", { level: 2 })).toHaveText([second, first]);
  await guest.getByRole("link", { name: "Rosa Bellini" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
  await guest.getByRole("link", { name: "Famiglia Bellini" }).click();
  await guest.getByRole("link", { name: "Rosa Bellini" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();

  // A memory that leaves the album is closed for the link at once, and stays among its owner's.
  await ada.client.rpc("put_in_album", { album_id: null, ids: [rosa.id] }).throwOnError();
  await expect(guest.getByText(say("albums:shared.goneTitle"))).toBeVisible();
  await guest.getByRole("link", { name: say("albums:shared.back") }).click();
  await expect(guest.getByRole("article").getByRole("heading", { level: 2 })).toHaveCount(1);

  // A visible toast takes the first Escape.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden({ timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: say("albums:more"), exact: true }).click();
  await page.getByRole("menuitem", { name: say("albums:delete") }).click();
  await expect(page.getByText(say("albums:deletedText"), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("albums:undo") }).click();
  await expect(page.getByRole("link", { name: "Famiglia Bellini" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 2, name: "Rosa Bellini" })).toBeVisible();
});
