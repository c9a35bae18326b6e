import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { folderCopies } from "../copy-store.ts";
import { MissingBytesError, type ObjectStore } from "../object-store.ts";
import type { Copy } from "./copies.ts";
import { UnreadablePictureError } from "./pictures.ts";
import { openRenditions, type Renditions } from "./renditions.ts";

let folder: string;
let renditions: Renditions;
let bytes: Map<string, Buffer>;
let reads: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-renditions-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  bytes = new Map();
  reads = 0;
  const unused = () => Promise.reject(new Error("Renditions only read"));
  const store: ObjectStore = {
    async source(key) {
      reads += 1;
      const content = bytes.get(key.version);
      if (!content) throw new MissingBytesError(key);
      const path = join(folder, `${key.version}.original`);
      await writeFile(path, content);
      return path;
    },
    read: unused,
    put: unused,
    send: unused,
    local: unused,
    has: unused,
    isAvailable: unused,
    async *keys() {},
  };
  renditions = openRenditions(folderCopies(folder), store);
});

const stored = (photo: Buffer) => {
  const version = randomUUID();
  bytes.set(version, photo);
  return { bucket: "b", version };
};
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();

test("a hundred simultaneous requests cause one rendition, and later requests use the stored file", async () => {
  const key = stored(await plain(800, 600));
  const files = await Promise.all(Array.from({ length: 100 }, () => renditions.file(key, 640)));
  expect(new Set(files.map(({ path }) => path)).size).toBe(1);
  await renditions.file(key, 640);
  expect(reads).toBe(1);
  expect(await readdir(join(folder, key.version))).toEqual(["640.webp"]);
});

test("several widths are made from one decoded picture", async () => {
  const key = stored(await plain(800, 600));
  const copies: Copy[] = [
    { size: 320, format: "avif" },
    { size: 640, format: "webp" },
  ];
  expect(await renditions.prepare(key, copies)).toEqual({ width: 800, height: 600, damaged: false, animated: false });
  expect((await renditions.file(key, 320, "avif")).type).toBe("image/avif");
  expect((await renditions.file(key, 640)).type).toBe("image/webp");
  expect(reads).toBe(1);
});

test("a file that is not a picture is refused each time and leaves no rendition", async () => {
  const key = stored(Buffer.from("not a picture"));
  for (let i = 0; i < 2; i++) await expect(renditions.file(key, 320)).rejects.toThrow("cannot be shown");
  expect(await folderCopies(folder).versions()).not.toContain(key.version);
});

test("a missing file and a broken file give different errors", async () => {
  await expect(renditions.file(stored(Buffer.from("not a picture")), 320)).rejects.toThrow(UnreadablePictureError);
  await expect(renditions.file({ bucket: "b", version: randomUUID() }, 320)).rejects.toThrow(MissingBytesError);
});

test("a picture too long for WebP becomes a JPEG", async () => {
  const file = await renditions.file(stored(await plain(16_500, 4)), "full");
  expect(file.type).toBe("image/jpeg");
});

test("removing a version removes its copies", async () => {
  const key = stored(await plain(40, 30));
  await renditions.file(key, 320);
  await folderCopies(folder).remove(key.version);
  expect(await folderCopies(folder).versions()).not.toContain(key.version);
});
