import { expect, test } from "vitest";
import { box, short, word } from "../../../tests/support/boxes.ts";
import { avifSequence } from "./avif-sequence.ts";

interface Tables {
  kinds?: string[];
  /** The flags of the edit list; no list without them. */
  edits?: number;
  scale?: number;
  times?: number[];
}

/** An animated AVIF's tables, with no pictures. */
function tables({ kinds = ["pict"], edits, scale = 1000, times = [2, 40, 1, 500] }: Tables = {}): Buffer {
  const track = (kind: string) =>
    box(
      "trak",
      box("tkhd", Buffer.alloc(76), short(320, 0, 240, 0)),
      ...(edits === undefined ? [] : [box("edts", box("elst", word(edits, 1, 580, 0), short(1, 0)))]),
      box(
        "mdia",
        box("mdhd", word(0, 0, 0, scale, 580, 0)),
        box("hdlr", word(0, 0), kind, Buffer.alloc(12)),
        box("minf", box("stbl", box("stts", word(0, times.length / 2, ...times)))),
      ),
    );
  return Buffer.concat([
    box("ftyp", "avis", word(0), "avisavif"),
    box("meta", word(0)),
    box("moov", ...kinds.map(track)),
  ]);
}

test("each frame is shown for its own time, for ever", async () => {
  const once = { width: 320, height: 240, delay: [40, 40, 500], hasAlpha: false };
  expect(await avifSequence(tables())).toEqual({ ...once, loop: 0 });
  expect(await avifSequence(tables({ edits: 1 }))).toEqual({ ...once, loop: 0 });
});

test("an animation that ends is shown once", async () => {
  expect(await avifSequence(tables({ edits: 0 }))).toMatchObject({ loop: 1 });
});

test("the track of its transparency is no animation of its own", async () => {
  expect(await avifSequence(tables({ kinds: ["auxv", "pict"] }))).toMatchObject({
    hasAlpha: true,
    delay: { length: 3 },
  });
  expect(await avifSequence(tables({ kinds: ["auxv"] }))).toBeUndefined();
});

test("times that no browser shows become those that browsers use", async () => {
  expect((await avifSequence(tables({ times: [1, 0, 1, 5, 1, 70_000] })))?.delay).toEqual([100, 100, 100]);
  expect((await avifSequence(tables({ scale: 0 })))?.delay).toEqual([100, 100, 100]);
});

test.each<[string, Buffer]>([
  ["of four billion frames", tables({ times: [0xffffffff, 1] })],
  ["whose table has no end", Buffer.concat([tables().subarray(0, -8), word(0xffff, 1)])],
  ["without tables", tables().subarray(0, 60)],
  ["of a single picture", Buffer.from(tables().toString("latin1").replace("ftypavis", "ftypavif"), "latin1")],
])("a file %s is no animation", async (_what, bytes) => {
  expect(await avifSequence(bytes)).toBeUndefined();
});
