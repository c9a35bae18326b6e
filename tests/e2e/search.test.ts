import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("a member finds a story, a photo, a moment and a comment, and each opens at its place", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const { data: photo } = await ada.client.from("media").select("id").limit(1).single().throwOnError();
  await ada.client.from("media").update({ caption: "The lighthouse at dusk" }).eq("id", photo?.id).throwOnError();
  const filler = "<p>Long ago, far away.</p>".repeat(60);
  const stories = ["First", "Second"].map((title) => ({ memory_id: memory.id, title, body: filler }));
  await ada.client.from("stories").insert(stories).throwOnError();
  const story = await newRow(ada.client, "stories", {
    memory_id: memory.id,
    title: "The keeper",
    body: "<p>He lived in the lighthouse.</p>",
  });
  const moment = await newRow(ada.client, "memory_entries", {
    memory_id: memory.id,
    title: "Moved",
    place: "Lighthouse Point",
    on_date: "1974-06-02",
  });
  const comment = await newRow(ada.client, "comments", { memory_id: memory.id, body: "I miss the lighthouse" });

  const page = await visit({ as: ada, viewport: { width: 1440, height: 900 } });
  await page.goto("/");
  // The key leads to the field of the header, and what is typed there to the results.
  await expect(page.getByRole("banner").getByRole("searchbox")).toBeVisible();
  // The first search element of a page is that of its list.
  await expect(page.getByRole("banner").locator("search")).toHaveCount(0);
  await page.keyboard.press("/");
  await page.keyboard.type("lihgthouse");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=lihgthouse$/);
  const results = page.getByRole("main");
  await expect(results.getByText(say("search:similar"))).toBeVisible();

  const field = results.getByRole("textbox");
  await field.fill("lighth");
  await expect(page).toHaveURL(/q=lighth$/);
  const group = (kind: string) => results.getByRole("region", { name: say(`search:kinds.${kind}`) }).getByRole("link");
  for (const kind of ["photo", "moment", "story", "comment"]) await expect(group(kind)).toHaveCount(1);
  await expect(results.locator("mark").first()).toHaveText("lighthouse");
  await expect(group("photo").locator("img")).toBeVisible();
  await expectAccessible(page);

  await group("story").click();
  await expect(page.locator(`#story-${story.id}`)).toBeInViewport();
  await page.goBack();
  await group("moment").click();
  await expect(page.locator(`#moment-${moment.id}`)).toBeInViewport();
  await page.goBack();
  await group("comment").click();
  await expect(page.locator(`#comment-${comment.id}`)).toBeInViewport();
  await page.goBack();
  await group("photo").click();
  await expect(page.getByRole("dialog").getByText("The lighthouse at dusk")).toBeVisible();
  await page.goBack();

  // Dates, and names of files for managers.
  await field.fill("2 giugno");
  await expect(group("moment")).toHaveCount(1);
  await field.fill("kodak-1998.jpg");
  await expect(group("file")).toHaveCount(1);
  await field.fill("nothing at all like this");
  await expect(results.getByText(say("search:noneText"))).toBeVisible();
});

test("a guest searches the memory of the link, and finds nothing else", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const other = await newRow(ada.client, "memories", { person_name: "Lighthouse Lodge" });
  await ada.client
    .from("stories")
    .insert({ memory_id: other.id, title: "Secret lighthouse", body: "<p>Not for guests.</p>" })
    .throwOnError();
  const story = await newRow(ada.client, "stories", {
    memory_id: memory.id,
    title: "The keeper",
    body: `<p>He lived in the lighthouse.</p>${"<p>Long ago.</p>".repeat(60)}`,
  });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "view" }, "share_id");
  const guest = await visit({ viewport: { width: 360, height: 740 } });
  await guest.goto(`/shared/${link.share_id}`);
  await guest.getByRole("button", { name: say("search:inMemory") }).click();
  const dialog = guest.getByRole("dialog");
  await dialog.getByRole("textbox").fill("lighthouses");
  await expect(dialog.getByRole("link")).toHaveCount(1);
  await expectAccessible(guest);
  await dialog.getByRole("link").click();
  await expect(dialog).toBeHidden();
  await expect(guest).toHaveURL(new RegExp(`#story-${story.id}$`));
  await expect(guest.locator(`#story-${story.id}`)).toBeInViewport();

  await guest.keyboard.press("/");
  await expect(dialog).toBeVisible();
});
