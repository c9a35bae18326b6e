import { expect, PHONE, test } from "../support/e2e.ts";
import { shareFromSystem } from "../support/files-to-upload.ts";
import { memoryWith } from "../support/gallery.ts";
import { expectKept, storedKeys } from "../support/offline.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";
import { jpeg } from "../support/uploads.ts";

const say = textsIn("en");
const files = async (...names: string[]) =>
  Promise.all(names.map(async (name, at) => ({ name, buffer: await jpeg(40 + at, 30) })));

test.use({ serviceWorkers: "allow" });

test("photos that the phone's gallery shares with Skies are added to the chosen memory, also when shared offline", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  // Without a network, and for a photo that was stored just before the page was left.
  expectedErrors.push(/resumable: .*status of 409/, /ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch|ERR_FAILED/);
  const [ada, bea] = [await person("Ada", { plan: "skies-memories" }), await person("Bea")];
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const theirs = await newMemory(bea.client, { person_name: "Nonno Piero" });
  await bea.client
    .from("invitations")
    .insert({ memory_id: theirs.id, email: ada.email, role: "contributor" })
    .throwOnError();
  const { data: invitations } = await ada.client.rpc("my_invitations").throwOnError();
  const invitation = invitations?.[0]?.id ?? "";
  await ada.client.rpc("answer_invitation", { invitation_id: invitation, accept: true }).throwOnError();
  const page = await visit({ as: ada, ...PHONE });
  await page.goto(`/memory/${rosa.id}`);
  await expectKept(page, 1);

  await shareFromSystem(page, await files("lake.jpg", "boat.jpg"));
  await expect(page.getByText(say("received:count", { count: 2 }))).toBeVisible();
  await expect(page.getByRole("button", { name: /Nonno Piero/ })).toBeVisible();
  await page.getByRole("button", { name: /Rosa Bellini/ }).click();
  await expect(
    page.getByText(say("received:added", { count: 2, name: "Rosa Bellini" }), { exact: true }),
  ).toBeVisible();
  const namesIn = async (id: string) => {
    const { data } = await ada.client.from("media").select("file_name").eq("memory_id", id).order("file_name");
    return data?.map(({ file_name }) => file_name);
  };
  await expect.poll(() => namesIn(rosa.id)).toEqual(["boat.jpg", "canon.jpg", "lake.jpg"]);
  await page.goto("/add");
  await expect(page.getByRole("heading", { name: say("received:emptyTitle") })).toBeVisible();

  // Without a network they are kept, and the page asks when it is back.
  await page.context().setOffline(true);
  await shareFromSystem(page, await files("garden.jpg"));
  await expect(page.getByText(say("offline:receivedText"))).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: /Nonno Piero/ }).click();
  await expect.poll(() => namesIn(theirs.id)).toEqual(["garden.jpg"]);

  // A new memory takes them as well.
  await shareFromSystem(page, await files("kitchen.jpg"));
  await page
    .getByRole("link", { name: say("received:create"), exact: true })
    .last()
    .click();
  await expect(page.getByRole("button", { name: "Remove: kitchen.jpg" })).toBeVisible();

  // Who signs out leaves none behind.
  await shareFromSystem(page, await files("letter.jpg"));
  await expect(page.getByText(say("received:count", { count: 1 }))).toBeVisible();
  const received = async () => (await storedKeys(page)).filter((key) => key.includes("skies-received files"));
  expect(await received()).toHaveLength(1);
  await page.goto("/");
  await page.getByRole("button", { name: say("layout:menu") }).click();
  await page.getByRole("menuitem", { name: say("layout:signOut") }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(received).toEqual([]);
});
