import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";
import { unzip } from "../support/zip.ts";

test(
  "a selection downloads as a ZIP file, and a memory as an archive that opens without the internet",
  { tag: "@sample" },
  async ({ visit, person, expectedErrors }, info) => {
    // Axe loads style sheets over the network, which the policy of an archive's pages forbids.
    expectedErrors.push(/archive\.css' violates the following Content Security Policy/);
    const say = textsIn("en");
    const ada = await person("Ada");
    const photos = await photoPaths("canon.jpg", "kodak-1998.jpg");
    const memory = await memoryWith(ada, photos);
    await ada.client
      .from("memories")
      .update({ description: "<p>She knew <strong>every</strong> tree.</p>" })
      .eq("id", memory.id)
      .throwOnError();
    const said = { memory_id: memory.id, body: "She laughed like <b>nobody</b>." };
    await ada.client.from("comments").insert(said).throwOnError();
    const page = await visit({ as: ada });
    await page.goto(`/memory/${memory.id}`);

    const save = async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: say("downloads:download") }).click(),
      ]);
      return { name: download.suggestedFilename(), files: await unzip(await readFile(await download.path())) };
    };

    await page.getByRole("button", { name: say("gallery:select.start") }).click();
    await page.getByRole("button", { name: say("gallery:select.all") }).click();
    await page
      .getByRole("toolbar")
      .getByRole("button", { name: say("downloads:download") })
      .click();
    await expect(page.getByText(say("downloads:items", { count: 2 }), { exact: true })).toBeVisible();
    const selected = await save();
    expect(selected.name).toBe("Rosa Bellini.zip");
    for (const photo of photos) {
      const original = await readFile(photo);
      expect(
        selected.files.some(({ bytes }) => bytes.equals(original)),
        photo,
      ).toBe(true);
    }

    await page.goto(`/memory/${memory.id}`);
    await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("downloads:download") }).click();
    await page.getByRole("radio", { name: say("downloads:archive") }).check();
    await expect(page.getByText(say("downloads:items", { count: 2 }), { exact: true })).toBeVisible();
    const archive = await save();

    const folder = info.outputPath("archive");
    for (const { path, bytes } of archive.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const reader = await visit();
    const requests: string[] = [];
    reader.on("request", (request) => requests.push(request.url()));
    await reader.goto(pathToFileURL(join(folder, "Rosa Bellini", "index.html")).href);
    await expect(reader.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
    await expect(reader.getByText("12 March 1931 – 4 May 2019")).toBeVisible();
    await expect(reader.getByText("She knew every tree.")).toBeVisible();
    await expect(reader.getByRole("listitem").filter({ hasText: said.body })).toContainText("Ada");
    const tiles = reader.locator("figure img");
    await expect(tiles).toHaveCount(2);
    for (const tile of await tiles.all()) {
      await tile.scrollIntoViewIfNeeded();
      await expect
        .poll(() => tile.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
        .toBeGreaterThan(32);
    }
    await expectAccessible(reader);
    await tiles.first().click();
    await reader.keyboard.press("ArrowRight");
    const large = reader.getByRole("dialog").locator("img");
    await expect
      .poll(() => large.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
      .toBeGreaterThan(640);
    expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  },
);
