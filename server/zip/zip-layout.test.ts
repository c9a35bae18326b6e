import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { configure, type Entry, Reader, TextWriter, ZipReader } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { LONG } from "../../tests/support/long-tests.ts";
import { layOut, type ZipLayout } from "./zip-layout.ts";
import type { ZipEntry } from "./zip-records.ts";

configure({ useWebWorkers: false });

interface TextEntry extends ZipEntry {
  text: string;
}

const entry = (path: string, text = path, at = "2019-05-04T12:33:10"): TextEntry => {
  const bytes = Buffer.from(text);
  return { path, text, size: bytes.length, crc32: crc32(bytes), at };
};
async function* open({ text }: TextEntry, { start, end }: { start: number; end: number }) {
  yield Buffer.from(text).subarray(start, end + 1);
}

/** Serves the requested ranges of the archive to a third-party reader, without generating the rest. */
class RangeReader<Of extends ZipEntry> extends Reader<undefined> {
  constructor(
    readonly layout: ZipLayout<Of>,
    readonly open: Parameters<ZipLayout<Of>["bytes"]>[0],
  ) {
    super(undefined);
    this.size = layout.size;
  }
  override async readUint8Array(index: number, length: number) {
    const end = Math.min(this.size, index + length) - 1;
    return new Uint8Array(await buffer(this.layout.bytes(this.open, { start: index, end })));
  }
}
const entriesOf = (reader: RangeReader<TextEntry> | RangeReader<ZipEntry>) => new ZipReader(reader).getEntries();
const textOf = (read: Entry | undefined) =>
  read && !read.directory ? read.getData(new TextWriter(), { checkSignature: read.signature !== 0 }) : undefined;

const family = [
  entry("Rosa/Fotò 日本 🌿.jpg", "a photo"),
  entry("Rosa/empty.txt", ""),
  entry("Rosa/old.jpg", "from before", "1931-03-12T08:00:00"),
];

test("an independent reader finds every file with its name, date and content", async () => {
  const read = await entriesOf(new RangeReader(layOut(family), open));
  expect(read.map(({ filename }) => filename)).toEqual(family.map(({ path }) => path));
  expect(await Promise.all(read.map(textOf))).toEqual(["a photo", "", "from before"]);
  expect(read.map(({ filenameUTF8, encrypted, zip64 }) => [filenameUTF8, encrypted, zip64])).toEqual(
    family.map(() => [true, false, false]),
  );
  // The reader interprets times without a zone as local time.
  expect(read.map(({ lastModDate }) => lastModDate)).toEqual([
    new Date(2019, 4, 4, 12, 33, 10),
    new Date(2019, 4, 4, 12, 33, 10),
    new Date(1980, 0, 1),
  ]);
});

test("every byte range of an archive equals that range of the whole", async () => {
  const layout = layOut(family);
  const whole = await buffer(layout.bytes(open));
  expect(whole).toHaveLength(layout.size);
  for (let start = 0; start < whole.length; start += 7) {
    for (const end of [start, start + 40, whole.length - 1].filter((place) => place < whole.length)) {
      const part = await buffer(layout.bytes(open, { start, end }));
      expect(part.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
    }
  }
});

test("an archive without files is valid", async () => {
  expect(await entriesOf(new RangeReader(layOut<TextEntry>([]), open))).toEqual([]);
});

test("files and offsets beyond 4 GiB are found without reading the bytes before", async () => {
  const GiB = 1024 ** 3;
  const zeros = (path: string, size: number): ZipEntry => ({ path, size, crc32: 0, at: "2026-01-01T00:00:00" });
  const reels = [zeros("first.mp4", 3 * GiB), zeros("long.mp4", 5 * GiB), zeros("beyond.mp4", 7)];
  const read = await entriesOf(
    new RangeReader(layOut(reels), async function* (_entry, { start, end }) {
      yield new Uint8Array(end - start + 1);
    }),
  );
  expect(read.map(({ filename, uncompressedSize, zip64 }) => [filename, uncompressedSize, zip64])).toEqual([
    ["first.mp4", 3 * GiB, false],
    ["long.mp4", 5 * GiB, true],
    ["beyond.mp4", 7, true],
  ]);
  expect(read[2]?.offset).toBeGreaterThan(8 * GiB);
  expect(await textOf(read[2])).toBe("\0".repeat(7));
});

test.runIf(LONG)("an archive can hold more than 65,535 files", async () => {
  const many = Array.from({ length: 65_537 }, (_, number) => entry(`${number}.txt`, `${number}`));
  const read = await entriesOf(new RangeReader(layOut(many), open));
  expect(read).toHaveLength(many.length);
  expect(await textOf(read.at(-1))).toBe("65536");
});

test("a file of another length than announced ends the archive with an error", async () => {
  const layout = layOut([{ ...entry("a.txt", "four"), size: 5 }]);
  await expect(buffer(layout.bytes(open))).rejects.toThrow(/not those that were laid out/);
});

test("an interrupted read closes the open file", async () => {
  let closed = false;
  const bytes = layOut(family).bytes(async function* () {
    try {
      yield Buffer.from("a ph");
      yield Buffer.from("oto");
    } finally {
      closed = true;
    }
  });
  await bytes.next();
  await bytes.next();
  await bytes.return(undefined);
  expect(closed).toBe(true);
});
