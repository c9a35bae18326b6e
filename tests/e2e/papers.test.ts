import { expect, test } from "../support/e2e.ts";
import { letter, lockedLetter, scan } from "../support/papers.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const TEXT = "Cara Rosa, il raccolto è finito.";

test("papers are added, read page by page and by their text, by their family and by a visitor on a phone", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Nonna Rosa" });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memory.id}`);
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  const files = page.locator("input[type=file]").first();
  // The browser's store orders by the time of adding.
  await files.setInputFiles([
    file("Lettera.pdf", await letter()),
    file("Diario.tif", await scan()),
    file("Testamento.pdf", await lockedLetter()),
  ]);
  const states = async () =>
    (await ada.client.from("media").select("state,pages").eq("memory_id", memory.id).order("pages")).data;
  await expect.poll(states, { timeout: 120_000 }).toEqual([
    { state: "broken", pages: 1 },
    { state: "ready", pages: 3 },
    { state: "ready", pages: 3 },
  ]);
  const { data } = await ada.client
    .from("media")
    .select("id,file_name:media_details(file_name)")
    .eq("memory_id", memory.id);
  const idOf = (name: string) => data?.find((row) => JSON.stringify(row).includes(name))?.id ?? "";

  // By keys and buttons, to the last page and on to the next photo.
  await page.goto(`/memory/${memory.id}?photo=${idOf("Lettera.pdf")}`);
  const dialog = page.getByRole("dialog");
  const at = (number: number) =>
    dialog.getByText(say("gallery:paper.page", { page: number, count: 3 }), { exact: true });
  const picture = dialog.locator("img").first();
  const isDrawn = (part: string) =>
    expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0 && image.currentSrc))
      .toContain(part);
  await expect(at(1)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(at(2)).toBeVisible();
  await isDrawn("page=2");
  await dialog.getByRole("button", { name: say("gallery:paper.next") }).click();
  await expect(at(3)).toBeVisible();
  await isDrawn("page=3");
  await expect(dialog.getByRole("button", { name: say("gallery:paper.next") })).toBeDisabled();
  await page.keyboard.press("+");
  await expect(dialog.getByRole("button", { name: say("media:lightbox.zoomOut") })).toBeVisible();
  await page.keyboard.press("PageUp");
  await expect(at(2)).toBeVisible();

  await page.getByRole("button", { name: say("gallery:details.show") }).click();
  const text = page.getByLabel(say("gallery:details.text"), { exact: true });
  await text.fill(TEXT);
  await text.blur();
  const stored = async () =>
    (await ada.client.from("media").select("alt_text").eq("id", idOf("Lettera.pdf")).single()).data;
  await expect.poll(stored).toEqual({ alt_text: TEXT });
  await expect(dialog.getByRole("region", { name: say("gallery:details.text") })).toHaveText(TEXT);

  // A paper that needs a password says so, and can be saved by its manager.
  await page.goto(`/memory/${memory.id}?photo=${idOf("Testamento.pdf")}`);
  await expect(dialog.getByText(say("gallery:broken.paperHint"), { exact: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: say("media:lightbox.download") }).last()).toBeVisible();

  const visitor = await visit({ viewport: { width: 360, height: 740 } });
  await visitor.goto(`/shared/${memory.share_id}?photo=${idOf("Lettera.pdf")}`);
  const read = visitor.getByRole("button", { name: say("gallery:paper.read") });
  await read.click();
  await expect(visitor.getByText(TEXT, { exact: true })).toBeVisible();
  await visitor.getByRole("button", { name: say("gallery:paper.next") }).click();
  await expect(visitor.getByText(say("gallery:paper.page", { page: 2, count: 3 }), { exact: true })).toBeVisible();
});
