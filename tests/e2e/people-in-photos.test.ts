import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const PHOTOS = ["canon.jpg", "kodak-1998.jpg", "gps-nikon.jpg"];

const tile = (page: Page, photo: string) => tiles(page).and(page.locator(`:has(a[aria-label*="${photo}"])`));
const field = (page: Page) => page.getByRole("combobox", { name: say("pictured:name") });
const chip = (page: Page, name: string) =>
  page.getByRole("list", { name: say("pictured:title") }).getByRole("button", { name, exact: true });

test("people are named in one photo and in many, at a point and without, and the gallery shows their photos", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths(...PHOTOS));
  const [page, guest] = [await visit({ as: ada, viewport: { width: 360, height: 740 } }), await visit()];
  await Promise.all([page.goto(`/memory/${memory.id}`), guest.goto(`/shared/${memory.share_id}`)]);
  await Promise.all([toGallery(page), toGallery(guest)]);

  // A new name in the lightbox, at the point that was pressed.
  await tile(page, "canon").getByRole("link").click();
  await page.getByRole("button", { name: say("pictured:edit") }).click();
  // The panel makes the photo smaller.
  await expect(field(page)).toBeVisible();
  const box = await page.getByRole("button", { name: say("pictured:pointLabel") }).boundingBox();
  if (!box) throw new Error("The photo cannot be pressed");
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await field(page).fill("Aunt May");
  await page.getByRole("option", { name: say("pictured:addNew", { name: "Aunt May" }) }).click();
  await expect(page.locator("[data-point='Aunt May']")).toBeVisible();
  await expectAccessible(page);
  const { data: names } = await ada.client.from("media_names").select("x, y").throwOnError();
  expect(names?.[0]?.x).toBeCloseTo(0.25, 1);
  expect(names?.[0]?.y).toBeCloseTo(0.5, 1);

  // Removed and given back, by keyboard.
  await page.getByRole("button", { name: say("pictured:remove", { name: "Aunt May" }) }).click();
  await expect(page.locator("[data-point='Aunt May']")).toHaveCount(0);
  await page.getByRole("button", { name: say("pictured:undo") }).press("Enter");
  await expect(page.locator("[data-point='Aunt May']")).toBeVisible();
  await page.getByRole("button", { name: say("media:lightbox.close"), exact: true }).click();

  // Another person in all photos at once, chosen by keyboard; then undone, and done again.
  const nameAll = async () => {
    await page.getByRole("button", { name: say("gallery:select.start") }).click();
    await page.getByRole("button", { name: say("gallery:select.all") }).click();
    await page.getByRole("button", { name: say("pictured:many.tool") }).click();
    await field(page).fill("aunt");
    await expect(page.getByRole("option")).toHaveCount(2);
    // Escape closes the list, and not the dialog around it.
    await field(page).press("Escape");
    await expect(page.getByRole("option")).toHaveCount(0);
    await field(page).fill("aunt ");
    await field(page).fill("aunt");
    await expect(page.getByRole("option")).toHaveCount(2);
    await field(page).press("Enter");
    await expect(page.getByText(say("pictured:named", { count: 2, name: "Aunt May" }), { exact: true })).toBeVisible();
  };
  const stored = async () => (await ada.client.from("media_names").select("media_id").throwOnError()).data?.length;
  await nameAll();
  await page.getByRole("button", { name: say("pictured:undo") }).click();
  await expect.poll(stored).toBe(1);
  await nameAll();
  await expect.poll(stored).toBe(3);

  // A visitor sees the names live, and they lead to the person's photos.
  await tile(guest, "kodak").getByRole("link").click();
  await expect(chip(guest, "Aunt May")).toBeVisible();
  await expect(guest.getByRole("button", { name: say("pictured:edit") })).toHaveCount(0);
  await chip(guest, "Aunt May").click();
  await expect(guest.getByRole("dialog")).toHaveCount(0);
  const filtered = (count: number, all: number) =>
    say("gallery:filter.shown", { filter: say("pictured:filter.with", { names: "Aunt May" }), count, all });
  await expect(guest.getByText(filtered(3, 3), { exact: true })).toBeVisible();

  // Several people at once are shown where they are together.
  const { data: people } = await ada.client.from("pictured_people").select("id").throwOnError();
  const { data: kodak } = await ada.client
    .from("media")
    .select("id")
    .eq("caption", "kodak-1998")
    .single()
    .throwOnError();
  await ada.client
    .rpc("name_people", {
      memory_id: memory.id,
      media_ids: [String(kodak?.id)],
      person_id: crypto.randomUUID(),
      name: "Rosa",
    })
    .throwOnError();
  expect(people).toHaveLength(1);
  await page.getByRole("button", { name: say("gallery:order.open") }).click();
  await page.getByRole("menuitem", { name: say("pictured:filter.open") }).click();
  for (const name of ["Aunt May", "Rosa"]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: say("pictured:filter.done") }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL(/people=/);
  await page.getByRole("button", { name: say("gallery:filter.end") }).click();
  await expect(tiles(page)).toHaveCount(3);

  // The search leads to a person.
  await page.goto("/search?q=rosa");
  await page.getByRole("link", { name: "Rosa", exact: false }).and(page.locator("[href*=people]")).click();
  await expect(tiles(page)).toHaveCount(1);
});

test("two entries become one person and two again, and a photo asks who is in it", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths(...PHOTOS));
  const { data: media } = await ada.client.from("media").select("id, caption").throwOnError();
  const idOf = (caption: string) => String(media?.find((photo) => photo.caption === caption)?.id);
  const name = (text: string, ...captions: string[]) =>
    ada.client
      .rpc("name_people", {
        memory_id: memory.id,
        media_ids: captions.map(idOf),
        person_id: crypto.randomUUID(),
        name: text,
      })
      .throwOnError();
  await name("Aunt May", "canon");
  await name("Maria Rossi", "kodak-1998", "gps-nikon");
  const page = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await page.goto(`/memory/${memory.id}?photo=${idOf("canon")}`);
  await chip(page, "Aunt May").click();
  await expect(tiles(page)).toHaveCount(1);
  const head = (text: string) => page.getByRole("heading", { name: text, level: 3, exact: true });
  await expect(head("Aunt May")).toBeVisible();
  const action = async (of: string, key: string) => {
    await page.getByRole("button", { name: say("pictured:person.more", { name: of }) }).click();
    await page.getByRole("menuitem", { name: say(`pictured:person.${key}`) }).click();
  };

  // Years and other names.
  await action("Aunt May", "edit");
  await page.getByLabel(say("pictured:person.others"), { exact: true }).fill("Mimi");
  await page.getByLabel(say("pictured:person.born"), { exact: true }).fill("31 or so");
  await page.getByRole("button", { name: say("pictured:person.save") }).click();
  await expect(page.getByText(say("pictured:person.faults.year"), { exact: true })).toBeVisible();
  await page.getByLabel(say("pictured:person.born"), { exact: true }).fill("1931");
  await page.getByRole("button", { name: say("pictured:person.save") }).click();
  await expect(page.getByText("1931– · Mimi", { exact: true })).toBeVisible();

  // One person, undone, again, and separated later.
  // The last action's own: an earlier one's can be pressed until the server has answered.
  const undo = (of: string) =>
    page
      .getByRole("listitem")
      .filter({ hasText: of })
      .getByRole("button", { name: say("pictured:undo") })
      .click();
  const mergeWithMaria = async () => {
    await action("Aunt May", "merge");
    await page.getByRole("combobox", { name: say("pictured:person.sameAs") }).fill("maria");
    await page.getByRole("option").click();
    await expect(head("Maria Rossi")).toBeVisible();
    await expect(tiles(page)).toHaveCount(3);
  };
  await mergeWithMaria();
  await undo(say("pictured:person.merged", { name: "Aunt May", other: "Maria Rossi" }));
  await expect(tiles(page)).toHaveCount(2);
  await page.goto(`/memory/${memory.id}?photo=${idOf("canon")}`);
  await chip(page, "Aunt May").click();
  await mergeWithMaria();
  await page.goto(`/memory/${memory.id}?photo=${idOf("canon")}`);
  await chip(page, "Maria Rossi").click();
  await action("Maria Rossi", "merge");
  await page.getByRole("button", { name: say("pictured:person.split") }).click();
  await expect(page.getByRole("dialog").getByText("Aunt May", { exact: true })).toHaveCount(0);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("common:close"), exact: true })
    .click();
  await expect(tiles(page)).toHaveCount(2);

  // Removed from the list, and back.
  await action("Maria Rossi", "delete");
  await expect(tiles(page)).toHaveCount(3);
  await undo(say("pictured:person.deleted", { name: "Maria Rossi" }));
  const names = async () => (await ada.client.from("media_names").select("media_id").throwOnError()).data?.length;
  await expect.poll(names).toBe(3);

  // "Who is this?" for those who come by the link.
  await page.goto(`/memory/${memory.id}?photo=${idOf("kodak-1998")}`);
  await page.getByRole("button", { name: say("pictured:edit") }).click();
  await page.getByRole("button", { name: say("pictured:who.ask") }).click();
  const note = page.getByRole("note").filter({ hasText: say("pictured:who.question") });
  await expect(note).toBeVisible();
  await expectAccessible(page);
  const guest = await visit();
  await guest.goto(`/shared/${memory.share_id}`);
  await toGallery(guest);
  await guest.getByRole("button", { name: say("gallery:order.open") }).click();
  await guest.getByRole("menuitemradio", { name: say("gallery:filter.who") }).click();
  await expect(tiles(guest)).toHaveCount(1);
  await tiles(guest).first().getByRole("link").click();
  await expect(guest.getByRole("button", { name: say("pictured:who.question") })).toBeVisible();
  await note.getByRole("button", { name: say("pictured:who.end") }).click();
  await expect(guest.getByRole("button", { name: say("pictured:who.question") })).toHaveCount(0);
});
