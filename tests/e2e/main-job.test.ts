import { expect, test } from "../support/e2e.ts";
import { createMemory, enterPin, expectPhotos, openSharing, register, setPin } from "../support/journey.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

// keyboard.test.ts does the same in Italian.
const say = textsIn("en");

test("Spec §1: a family makes a memory, shares it with a PIN, and a guest opens it", async ({
  visit,
  expectedErrors,
}) => {
  test.setTimeout(180_000);
  // The door's own answers: no PIN given, a wrong PIN, and all that the old PIN had opened.
  expectedErrors.push(/status of 40[0134]/);
  const photos = await photoPaths("canon.jpg", "landscape-orientation-6.jpg", "jolla-phone.jpg", "kodak-1998.jpg");

  const owner = await visit({ reducedMotion: "no-preference" });
  await register(owner, say);
  await createMemory(owner, say, "Rosa Bellini", photos);
  const link = await openSharing(owner, say);
  await setPin(owner, say, "0417");

  const guest = await visit({ reducedMotion: "no-preference" });
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: say("shareGate:open.title") })).toBeVisible();
  await expect(guest.getByText("Rosa Bellini")).toHaveCount(0);
  await enterPin(guest, say, "9999");
  await expect(guest.getByText(say("shareGate:open.wrong"))).toBeVisible();
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
  await expect(guest.getByText("She knew every tree by name.")).toBeVisible();
  await expectPhotos(guest, photos.length);
  await expect(guest.getByRole("button", { name: say("sharing:share"), exact: true })).toHaveCount(0);

  // The picture itself, not only the page, is shut by the change; share-ended.test.ts says how soon.
  const picture = await guest
    .locator('a[href*="photo="] img')
    .last()
    .evaluate((img: HTMLImageElement) => img.currentSrc);
  expect((await guest.request.get(picture)).status()).toBe(200);
  await setPin(owner, say, "2580");
  await expect.poll(async () => (await guest.request.get(picture)).status()).not.toBe(200);
  await guest.reload();
  await expect(guest.getByLabel(say("shareGate:pin.digit", { number: 1 }))).toBeVisible();
  await enterPin(guest, say, "2580");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();

  await owner.getByRole("button", { name: say("sharing:pin.remove") }).click();
  await owner
    .getByRole("button", { name: say("sharing:pin.remove") })
    .last()
    .click();
  await expect(owner.getByText(say("sharing:pin.wasRemoved"), { exact: true })).toBeVisible();
  const another = await visit({ reducedMotion: "no-preference" });
  await another.goto(link);
  await expect(another.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
});

test("a link that leads nowhere looks like one with a PIN, and five wrong PINs shut it", async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/open-share.*status of 4(01|29)/);
  const stranger = await visit();
  await stranger.goto("/shared/ThereIsNothingHere1234");
  for (const pin of ["0001", "0002", "0003", "0004"]) {
    const answered = stranger.waitForResponse(/open-share/);
    await enterPin(stranger, say, pin);
    await answered;
    await expect(stranger.getByText(say("shareGate:open.wrong"))).toBeVisible();
  }
  await enterPin(stranger, say, "0005");
  await expect(stranger.getByRole("heading", { name: say("shareGate:open.locked") })).toBeVisible();
});
