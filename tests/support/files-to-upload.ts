import { createHash, randomFillSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JSHandle, Page } from "@playwright/test";
import sharp from "sharp";

/** An incompressible photo of about a megabyte. */
export async function noise(name: string) {
  const pixels = Buffer.alloc(900 * 600 * 3);
  randomFillSync(pixels);
  const buffer = await sharp(pixels, { raw: { width: 900, height: 600, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

/** Tiny JPEGs with different bytes, in fifty sizes: a comment in each differs, not the pixels. */
export async function tinyPhotos(count: number): Promise<Buffer[]> {
  const photo = await sharp({ create: { width: 24, height: 16, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  return Array.from({ length: count }, (_, index) => {
    const text = Buffer.from(String(index).padEnd(8 + (index % 50)));
    const length = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
    return Buffer.concat([photo.subarray(0, 2), length, text, photo.subarray(2)]);
  });
}

const HEADS = {
  mp4: Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp41\0\0\0\0mdat", "latin1"),
  jpg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
};

/** A sparse file that begins with the signature of its type. A number in every megabyte reveals misplaced bytes. */
export async function largeFile(name: string, bytes: number): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "skies-large-"));
  const path = join(folder, name);
  const file = await open(path, "w");
  await file.truncate(bytes);
  for (let at = 1024 ** 2; at < Math.min(bytes, 512 * 1024 ** 2); at += 1024 ** 2) await file.write(`${at}`, at);
  await file.write(HEADS[name.endsWith(".mp4") ? "mp4" : "jpg"], 0, null, 0);
  await file.close();
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** SHA-256 in hex of a file or a stream. */
export async function sha256Of(source: string | AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of typeof source === "string" ? createReadStream(source) : source) hash.update(bytes);
  return hash.digest("hex");
}

/** The data of a drop event with these files. */
function dropOf(page: Page, files: { name: string; buffer: Buffer }[]): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: "image/jpeg" }));
      }
      return transfer;
    },
    files.map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") })),
  );
}

export async function drop(page: Page, files: { name: string; buffer: Buffer }[]) {
  const dataTransfer = await dropOf(page, files);
  for (const event of ["dragenter", "dragover", "drop"])
    await page.locator("main").dispatchEvent(event, { dataTransfer });
}

/** Stores pictures as if another app had shared them with Skies; the page has the app's origin. */
export const receiveFiles = (page: Page, names: string[]) =>
  page.evaluate(async (names) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("skies-received", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("files", { autoIncrement: true });
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const bytes = await new OffscreenCanvas(64, 64).convertToBlob({ type: "image/png" }).catch(() => new Blob(["x"]));
    const transaction = db.transaction("files", "readwrite");
    for (const name of names) {
      const file = new File([bytes], name, { type: "image/png" });
      transaction.objectStore("files").add({ file, receivedAt: Date.now() });
    }
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    db.close();
  }, names);

/** Posts files as the system does when another app shares them with Skies. */
export async function shareFromSystem(page: Page, files: { name: string; buffer: Buffer }[]) {
  const sent = files.map(({ name, buffer }) => ({ name, bytes: buffer.toString("base64") }));
  const opened = page.waitForURL(/\/add(\?|$)/);
  await page.evaluate((sent) => {
    const chosen = new DataTransfer();
    for (const { name, bytes } of sent) {
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      chosen.items.add(new File([content], name, { type: "image/jpeg", lastModified: 1_000_000_000_000 }));
    }
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/add", enctype: "multipart/form-data", hidden: true });
    const input = document.createElement("input");
    Object.assign(input, { type: "file", name: "files", multiple: true, files: chosen.files });
    form.append(input);
    document.body.append(form);
    form.submit();
  }, sent);
  await opened;
}
