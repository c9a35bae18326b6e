import type { Page, Request } from "@playwright/test";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { noise } from "../../support/files-to-upload.ts";
import { addFilm } from "../../support/films.ts";
import { memoryWith, tiles } from "../../support/gallery.ts";
import { invitationTo } from "../../support/inviting.ts";
import { enterPin, expectPhotos, setPin } from "../../support/journey.ts";
import { photoPaths } from "../../support/photos.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("en");

/** Holds the first part of a page's upload until the test ends. Resolves to the request. */
async function holdUpload(page: Page) {
  let hold = (_request: Request) => {};
  const request = new Promise<Request>((resolve) => {
    hold = resolve;
  });
  await page.route(/\/upload\/resumable\/./, (route) =>
    route.request().method() === "PATCH" ? hold(route.request()) : route.continue(),
  );
  return { request };
}

/** Closes the open dialog; a toast over it takes the first Escape. */
const closeWindow = (page: Page) =>
  expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden({ timeout: 500 });
  }).toPass();

test("Spec §4: a new PIN ends open pages, films, archives and uploads, a withdrawn invitation ends its email's access, and the others open the link with the new PIN", {
  tag: "@long",
}, async ({ visit, person, server, expectedErrors }) => {
  // The refusals of the share gates, and requests that were in progress when they closed.
  expectedErrors.push(/status of 4(0[0134]|10)/, /net::ERR_/);
  const ada = await person("Ada Rossi");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  await addFilm(ada, memory.id);
  await ada.client.from("share_links").update({ rights: "contribute" }).eq("memory_id", memory.id).throwOnError();

  // The owner sets a PIN, and invites a person by email.
  const owner = await visit({ ...PHONE, as: ada });
  await owner.goto(`/memory/${memory.id}`);
  const bob = `bob.${crypto.randomUUID().slice(0, 8)}@example.com`;
  await owner.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await owner.getByRole("button", { name: say("people:open"), exact: true }).click();
  await owner.getByLabel(say("people:invite.email")).fill(bob);
  await owner.getByRole("button", { name: say("people:invite.submit") }).click();
  const email = await invitationTo(server, bob);
  const his = await visit(PHONE);
  await his.goto(email.shared);
  const rosa = (page: Page) => page.getByRole("heading", { level: 1, name: "Rosa Bellini" });
  await expect(rosa(his)).toBeVisible();
  await closeWindow(owner);
  await owner.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  const link = await owner.getByLabel(say("sharing:link"), { exact: true }).inputValue();
  await setPin(owner, say, "0417", "set");

  // A person who should not have the link opens the page, a film and an archive, and sends a photo.
  const stranger = await visit(PHONE);
  await stranger.goto(link);
  await enterPin(stranger, say, "9999");
  await expect(stranger.getByText(say("shareGate:open.wrong"))).toBeVisible();
  await enterPin(stranger, say, "0417");
  await expect(rosa(stranger)).toBeVisible();
  await stranger.getByRole("button", { name: say("guests:add.words") }).click();
  await stranger.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Ugo");
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByText(say("guests:add.as", { name: "Ugo" }))).toBeVisible();
  const upload = await holdUpload(stranger);
  await stranger
    .locator("input[type=file]")
    .last()
    .setInputFiles(await noise("unkind.jpg"));
  const part = await upload.request;
  await stranger
    .getByRole("button", { name: say("downloads:download"), exact: true })
    .first()
    .click();
  await stranger.getByRole("radio", { name: say("downloads:archive") }).check();
  const saving = stranger.getByRole("dialog").getByRole("link", { name: say("downloads:download") });
  const archive = (await saving.getAttribute("href")) ?? "";
  await stranger.keyboard.press("Escape");
  await expectPhotos(stranger, 3);
  const picture = await stranger
    .locator("li[data-photo] img")
    .last()
    .evaluate((img: HTMLImageElement) => img.currentSrc);
  await tiles(stranger).getByRole("link", { name: /Video/ }).click();
  const player = stranger.locator("video");
  await player.evaluate((video: HTMLVideoElement) => video.play());
  const film = await player.evaluate((video: HTMLVideoElement) => video.currentSrc);
  const opens = async () => {
    const answers = await Promise.all([archive, picture, film].map((address) => stranger.request.get(address)));
    return answers.map((answer) => answer.ok());
  };
  expect(await opens()).toEqual([true, true, true]);

  // The PIN changes: open pages close by themselves, and nothing more is sent or received.
  await setPin(owner, say, "2580");
  await expect(stranger.getByText(say("shareGate:open.closed"))).toBeVisible();
  await expect(player).toHaveCount(0);
  await expect(stranger.getByText("Rosa Bellini")).toHaveCount(0);
  await expect.poll(opens).toEqual([false, false, false]);
  const sent = { method: "PATCH", headers: await part.allHeaders(), data: part.postDataBuffer() ?? undefined };
  const refused = await stranger.request.fetch(part.url(), sent);
  expect([400, 401, 403, 404, 410]).toContain(refused.status());
  await enterPin(stranger, say, "0417");
  await expect(stranger.getByText(say("shareGate:open.wrong"))).toBeVisible();

  // A withdrawn invitation closes its page at once too. A PIN does not affect an invitation's email.
  await expect(rosa(his)).toBeVisible();
  await closeWindow(owner);
  await owner.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await owner.getByRole("button", { name: say("people:open"), exact: true }).click();
  await owner.getByRole("button", { name: say("people:invitations.menu", { email: bob }) }).click();
  await owner.getByRole("menuitem", { name: say("people:invitations.withdraw") }).click();
  await expect(his.getByRole("heading", { name: say("shareGate:open.invitation") })).toBeVisible();
  await expect(rosa(his)).toHaveCount(0);
  await his.goto(email.shared);
  await expect(his.getByRole("heading", { name: say("shareGate:open.invitation") })).toBeVisible();

  // Everybody else receives a new text.
  const cousin = await visit(PHONE);
  await cousin.goto(link);
  await enterPin(cousin, say, "2580");
  await expect(rosa(cousin)).toBeVisible();
  await expect(cousin.getByText("unkind.jpg")).toHaveCount(0);

  // After the quarrel, the link needs no PIN at all.
  await closeWindow(owner);
  await owner.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await owner.getByRole("button", { name: say("sharing:pin.remove") }).click();
  await owner
    .getByRole("button", { name: say("sharing:pin.remove") })
    .last()
    .click();
  await expect(owner.getByText(say("sharing:pin.wasRemoved"), { exact: true })).toBeVisible();
  const neighbour = await visit(PHONE);
  await neighbour.goto(link);
  await expect(rosa(neighbour)).toBeVisible();
});
