import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

interface SharedFile {
  name: string;
  type: string;
  hash: string;
}

/** Replaces the system's share sheet: it notes its files, and refuses the first call, as after a touch that is too old. */
async function withSheet(page: Page) {
  const shared: SharedFile[][] = [];
  await page.exposeFunction("noteShared", (files: SharedFile[]) => void shared.push(files));
  await page.addInitScript(() => {
    let refused = false;
    navigator.canShare = ({ files } = {}) => (files?.length ?? 0) > 0;
    navigator.share = async ({ files = [] } = {}) => {
      if (!refused) {
        refused = true;
        throw new DOMException("The touch is too old", "NotAllowedError");
      }
      const note = (window as unknown as { noteShared: (files: unknown) => Promise<void> }).noteShared;
      const hashed = files.map(async (file) => {
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
        const text = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        return { name: file.name, type: file.type, hash: text };
      });
      await note(await Promise.all(hashed));
    };
  });
  return shared;
}

const hashOf = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

test("photos are handed to the phone's share sheet: one or several, originals to their owner and copies to visitors", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const ada = await person("Ada Rossi");
  const photos = await photoPaths("canon.jpg", "kodak-1998.jpg");
  const memory = await memoryWith(ada, photos);
  await ada.client.from("share_links").update({ allows_download: true }).eq("memory_id", memory.id).throwOnError();
  const page = await visit({ as: ada, ...PHONE });
  const shared = await withSheet(page);
  await page.goto(`/memory/${memory.id}`);
  await toGallery(page);
  await page.getByRole("button", { name: say("gallery:select.start") }).click();
  await page.getByRole("button", { name: say("gallery:select.all") }).click();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: say("gallery:share.photo"), exact: true })
    .click();
  // Loading took too long for the browser, so the person is asked once more.
  await expect(page.getByText(say("gallery:share.ready", { count: 2 }), { exact: true })).toBeVisible();
  await page
    .getByRole("button", { name: say("gallery:share.photo"), exact: true })
    .last()
    .click();
  await expect.poll(() => shared.length).toBe(1);
  const originals = await Promise.all(photos.map(hashOf));
  expect(shared[0]?.map(({ hash }) => hash).sort()).toEqual(originals.sort());
  expect(shared[0]?.map(({ name }) => name).sort()).toEqual(["canon.jpg", "kodak-1998.jpg"]);

  const visitor = await visit(PHONE);
  const received = await withSheet(visitor);
  await visitor.goto(`/shared/${memory.share_id}`);
  await toGallery(visitor);
  await tiles(visitor).first().getByRole("link").click();
  await visitor.getByRole("button", { name: say("gallery:details.more") }).click();
  await visitor.getByRole("menuitem", { name: say("gallery:share.photo"), exact: true }).click();
  await expect(visitor.getByText(say("gallery:share.ready", { count: 1 }), { exact: true })).toBeVisible();
  await visitor
    .getByRole("button", { name: say("gallery:share.photo"), exact: true })
    .last()
    .click();
  await expect.poll(() => received.length).toBe(1);
  const [file] = received[0] ?? [];
  expect(file?.type).toBe("image/webp");
  expect(file?.name).toMatch(/\.webp$/);
  expect(originals).not.toContain(file?.hash);
});
