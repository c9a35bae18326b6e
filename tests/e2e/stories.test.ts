import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { gated } from "../support/gated.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, newRow, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

/** Creates a memory of a person with one prepared photo, without a browser. */
async function memoryOf({ client }: Person, row: object) {
  const data = await newMemory(client, row);
  await shareFirstLink(client, data.id);
  const [path = ""] = await photoPaths("gps-nikon.jpg");
  const name = `${data.id}/${randomUUID()}.jpg`;
  const { error } = await client.storage
    .from("media")
    .upload(name, await readFile(path), { contentType: "image/jpeg" });
  if (error) throw error;
  const ready = async () => (await client.from("media").select("id").eq("state", "ready").single()).data?.id;
  await expect.poll(ready, { timeout: 180_000 }).toBeTruthy();
  return { ...data, photo: String(await ready()) } as { id: string; share_id: string; photo: string };
}

const editor = (page: Page) => page.locator(".ProseMirror");

/** Puts HTML on the clipboard, like another program, and pastes it. */
async function paste(page: Page, html: string) {
  await page.evaluate(
    (copied) =>
      navigator.clipboard.write([new ClipboardItem({ "text/html": new Blob([copied], { type: "text/html" }) })]),
    html,
  );
  await page.keyboard.press("ControlOrMeta+v");
}

/** Reads the browser's drafts of stories, as one text. */
const keptDrafts = () =>
  new Promise<string>((resolve, reject) => {
    const opening = indexedDB.open("skies-words");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction("words").objectStore("words").getAll();
      all.onerror = () => reject(all.error);
      all.onsuccess = () => resolve(all.result.map(({ html }) => html).join());
      opening.result.close();
    };
  });

test("two people write stories in rich text, and the owner arranges and hides them", async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("en");
  const [ada, bob] = [await person("Ada"), await person("Bob")];
  const memory = await memoryOf(ada, { person_name: "Rosa", birth_date: "1931-03-12", passing_date: "2019-05-04" });
  const bobs = { memory_id: memory.id, user_id: bob.id, role: "contributor" };
  await server.client(server.keys.secret).from("memory_members").insert(bobs).throwOnError();
  const page = await visit({ as: ada, permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`/memory/${memory.id}`);

  // Heading, bold, list and link are typed; a photo is chosen; pasted content is sanitised.
  await page.getByRole("button", { name: say("stories:read.first") }).click();
  await editor(page).click();
  await page
    .getByRole("button", { name: say("stories:editor.block", { block: say("stories:editor.blocks.text") }) })
    .click();
  await page.getByRole("menuitemradio", { name: say("stories:editor.blocks.heading"), exact: true }).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type("Summers");
  await page.keyboard.press("Enter");
  await page.keyboard.type("She knew ");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.type("every");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.type(" tree.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- pears");
  for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
  await paste(page, '<p style="color:red">From <i>a letter</i></p><script>x</script>');
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByLabel(say("stories:link.address")).fill("example.com/trees");
  await page.getByRole("button", { name: say("stories:link.set") }).click();
  await page.getByRole("button", { name: say("stories:editor.photo") }).click();
  await page.getByRole("button", { name: new RegExp(`^${say("stories:choose.take", { photo: "" }).trim()}`) }).click();
  await editor(page).locator("figcaption").click();
  await page.keyboard.type("Her garden");
  await expect(page.getByText(say("stories:write.kept"))).toBeVisible();
  // The message also appeared for earlier words. The last words are stored after a pause in the typing.
  await expect.poll(() => page.evaluate(keptDrafts)).toContain("Her garden");
  await expectAccessible(page);

  // A reload keeps the draft, and the saved text is the one that is shown.
  await page.reload();
  await expect(page.getByText(say("stories:write.found"))).toBeVisible();
  await expect(editor(page).locator("figcaption")).toHaveText("Her garden");
  await page.getByRole("button", { name: say("stories:write.save"), exact: true }).click();
  await expect(page.getByText(say("stories:write.saved"), { exact: true })).toBeVisible();
  const link = '<a href="https://example.com/trees" rel="noopener noreferrer nofollow">example.com/trees</a>';
  const before = `<h2>Summers</h2><p>She knew <strong>every</strong> tree.</p><ul><li><p>pears</p></li></ul><p>From <em>a letter</em>${link}</p>`;
  const { data } = await ada.client.from("memories").select("description").eq("id", memory.id).single();
  expect(data?.description).toBe(
    `${before}<figure data-media="${memory.photo}"><figcaption>Her garden</figcaption></figure>`,
  );
  const html = () => page.locator(".story > div > div").first().innerHTML();
  // Only the direction of the words is added.
  await expect.poll(async () => (await html()).replaceAll(' dir="auto"', "")).toBe(before);

  // A second person tells a story. The first person sees it arrive, and can hide it, but not edit it.
  const second = await visit({ as: bob });
  await second.goto(`/memory/${memory.id}`);
  await second.getByRole("button", { name: say("stories:read.add") }).click();
  await second.getByLabel(say("stories:write.title")).fill("The boat");
  await editor(second).click();
  await second.keyboard.type("We never told anyone.");
  await second.getByRole("button", { name: say("stories:write.save"), exact: true }).click();
  await expect(page.getByRole("heading", { name: "The boat" })).toBeVisible();
  await expect(page.getByRole("button", { name: say("stories:read.editNamed", { title: "The boat" }) })).toHaveCount(0);

  // A manager arranges the stories, by mouse and by keyboard.
  const train = { memory_id: memory.id, title: "The train", body: "<p>It was late.</p>" };
  await bob.client.from("stories").insert(train).throwOnError();
  const titles = page.getByRole("region", { name: say("stories:read.title") }).getByRole("heading", { level: 3 });
  await expect(titles).toHaveText(["The boat", "The train"]);
  const handle = (title: string) => page.getByRole("button", { name: say("stories:read.carryNamed", { title }) });
  await handle("The boat").scrollIntoViewIfNeeded();
  await handle("The train").hover();
  await page.mouse.down();
  const first = await titles.first().boundingBox();
  await page.mouse.move(first?.x ?? 0, (first?.y ?? 0) - 10, { steps: 5 });
  await page.mouse.up();
  await expect(titles).toHaveText(["The train", "The boat"]);
  await expect(handle("The train")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(titles).toHaveText(["The boat", "The train"]);
  await page.getByRole("button", { name: say("stories:read.moreNamed", { title: "The boat" }) }).click();
  await page.getByRole("menuitem", { name: say("stories:read.hide") }).click();
  await expect(page.getByText(say("stories:read.hidden"))).toBeVisible();
});

test("a title that is typed while the editor still loads is not interrupted by it", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa", description: "<p>She knew every tree.</p>" });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  const loading = gated();
  await page.route(/assets\/RichEditor/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: say("stories:read.add") }).click();
  const title = page.getByLabel(say("stories:write.title"));
  await title.pressSequentially("The ");
  loading.resolve();
  await expect(editor(page)).toBeVisible();
  // It would take the focus within two frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.keyboard.type("boat");
  await expect(title).toHaveValue("The boat");
  await expect(editor(page)).toHaveText("");
});

test("the formatting tools stay visible below the section links while a long text is edited", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa", description: "<p>She sang.</p>".repeat(80) });
  for (const options of [PHONE, { viewport: { width: 1280, height: 800 } }]) {
    const page = await visit({ as: ada, ...options });
    await page.goto(`/memory/${id}`);
    await page.getByRole("button", { name: say("stories:read.edit") }).click();
    await expect(editor(page)).toBeVisible();
    await editor(page)
      .locator("p")
      .nth(40)
      .evaluate((line) => line.scrollIntoView({ block: "center" }));
    const links = page.getByRole("navigation", { name: say("memories:sections.label") });
    const tools = page.getByRole("toolbar", { name: say("stories:editor.tools") });
    const gap = async () => {
      const [above, below] = await Promise.all([links.boundingBox(), tools.boundingBox()]);
      return Math.round((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0));
    };
    await expect.poll(gap).toBe(0);
    // The line that the arrow keys reach is not behind the tools.
    await editor(page).locator("p").nth(40).click();
    // A slow device, whose browser reports the moves late.
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 8 });
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowUp");
    const covered = async () => {
      const bar = await tools.boundingBox();
      const top = await page.evaluate(() => getSelection()?.getRangeAt(0).getBoundingClientRect().top);
      return (bar?.y ?? 0) + (bar?.height ?? 0) - (top ?? 0);
    };
    await expect.poll(covered).toBeLessThanOrEqual(0);
  }
});

test("of two simultaneous edits of a text, both can be kept", async ({ visit, person, expectedErrors }) => {
  // The save that is based on an older revision.
  expectedErrors.push(/status of 409/);
  const say = textsIn("it");
  const ada = await person("Ada");
  const data = await newRow(ada.client, "memories", { person_name: "Rosa", description: "<p>She sang.</p>" });
  const [one, two] = [await visit({ as: ada, language: "it" }), await visit({ as: ada, language: "it" })];
  for (const [page, text] of [
    [one, " Always."],
    [two, " In winter too."],
  ] as const) {
    await page.goto(`/memory/${data.id}`);
    await page.getByRole("button", { name: say("stories:read.edit") }).click();
    await editor(page).click();
    await page.keyboard.press("End");
    await page.keyboard.type(text);
  }
  const save = (page: Page) => page.getByRole("button", { name: say("stories:write.save"), exact: true }).click();
  await save(one);
  await expect(one.getByText(say("stories:write.saved"), { exact: true })).toBeVisible();
  await expect(one.getByText("She sang. Always.")).toBeVisible();
  // Other changes of the memory are no conflict.
  await ada.client.from("memories").update({ person_name: "Nonna Rosa" }).eq("id", data.id).throwOnError();
  await save(two);
  await expect(two.getByText(say("stories:write.overtakenTitle"))).toBeVisible();
  await expect(two.getByRole("region", { name: say("stories:write.itsWords") })).toHaveText("She sang. Always.");
  await expect(editor(two)).toHaveText("She sang. In winter too.");
  await expectAccessible(two);
  await two.getByRole("button", { name: say("stories:write.takeBoth") }).click();
  await save(two);
  await expect(two.getByText(say("stories:write.saved"), { exact: true })).toBeVisible();
  const now = await ada.client.from("memories").select("description").eq("id", data.id).single();
  expect(now.data?.description).toBe("<p>She sang. In winter too.</p><p>She sang. Always.</p>");
});

test("visitors read the moments of a tribute and an event's programme, which is in order of time and can be printed", async ({
  visit,
  person,
}) => {
  const say = textsIn("it");
  const ada = await person("Ada");
  const life = await memoryOf(ada, { person_name: "Rosa", birth_date: "1931-03-12", passing_date: "2019-05-04" });
  const page = await visit({ as: ada, language: "it", timezoneId: "Pacific/Honolulu" });
  await page.goto(`/memory/${life.id}`);
  const add = async (fields: Record<string, string>, button: string) => {
    await page.getByRole("button", { name: say(button) }).click();
    for (const [label, value] of Object.entries(fields)) {
      const key = ["year", "month", "day"].includes(label) ? `dateField:${label}` : `stories:entry.${label}`;
      const field = page.getByLabel(say(key), { exact: true });
      await (label === "month" ? field.selectOption(value) : field.fill(value));
    }
    await page.getByRole("button", { name: say("stories:entry.save"), exact: true }).click();
    await expect(page.getByText(fields.what ?? "", { exact: true })).toBeVisible();
  };
  await add({ what: "School", year: "1937", month: "9" }, "stories:life.add");
  await add({ what: "Parents’ wedding", year: "1929", month: "6", day: "1" }, "stories:life.add");
  const headings = page.getByRole("region", { name: say("stories:life.title") }).getByRole("heading", { level: 3 });
  await expect(headings).toHaveText(["Parents’ wedding", say("stories:life.born"), "School", say("stories:life.died")]);
  await expect(page.getByText("12 marzo 1931", { exact: true })).toBeVisible();
  await expect(page.getByText("settembre 1937", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: say("stories:life.remove", { title: "School" }) }).click();
  await expect(headings).toHaveText(["Parents’ wedding", say("stories:life.born"), say("stories:life.died")]);
  await page.getByRole("button", { name: say("stories:life.undo"), exact: true }).click();
  await expect(headings).toHaveCount(4);

  const visitor = await visit({ language: "it", timezoneId: "Pacific/Auckland" });
  await visitor.goto(`/shared/${life.share_id}`);
  await expect(visitor.getByRole("heading", { name: "School" })).toBeVisible();
  await expect(visitor.getByText("12 marzo 1931", { exact: true })).toBeVisible();
  await expect(visitor.getByRole("button", { name: say("stories:life.add") })).toHaveCount(0);

  await ada.client
    .from("memories")
    .update({ kind: "event", event_date: "2026-07-11" })
    .eq("id", life.id)
    .throwOnError();
  await ada.client.from("memory_entries").delete().eq("memory_id", life.id).throwOnError();
  await page.reload();
  await add({ what: "Supper", time: "19:30", place: "The barn" }, "stories:life.addEvent");
  await add({ what: "Vows", time: "15:00" }, "stories:life.addEvent");
  await expect(page.getByRole("region", { name: say("stories:life.titleEvent") }).locator("time")).toHaveText([
    "15:00",
    "19:30",
  ]);
  await visitor.goto(`/shared/${life.share_id}`);
  const programme = visitor.getByRole("region", { name: say("stories:life.titleEvent") });
  await expect(programme.locator("time")).toHaveText(["15:00", "19:30"]);
  await expect(programme.getByText("The barn")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { print: "area" }));
  await expect(page.getByText("Vows", { exact: true })).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
});

test("words in Hebrew and Arabic run from the right, beside words in English, where they are read and written", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "רוזה לוי" });
  const body = "<p>היא אפתה חלה.</p><ul><li>קמח</li><li>سكر وماء.</li></ul><p>She baked bread.</p>";
  await newRow(ada.client, "stories", { memory_id: id, title: "לחם", body });
  await newRow(ada.client, "comments", { memory_id: id, body: "كانت تغني دائما." });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${id}`);
  const direction = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  for (const text of ["רוזה לוי", "לחם", "היא אפתה חלה.", "קמח", "سكر وماء.", "كانت تغني دائما."]) {
    await expect.poll(() => direction(text), text).toBe("rtl");
  }
  expect(await direction("She baked bread.")).toBe("ltr");
  // The numbers and points of a list stand on the side where its words begin.
  expect(
    await page
      .getByRole("list")
      .filter({ hasText: "קמח" })
      .evaluate((list) => getComputedStyle(list).direction),
  ).toBe("rtl");
  const field = page.getByRole("textbox", { name: say("comments:write.label") });
  await field.fill("שלום.");
  expect(await field.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});
