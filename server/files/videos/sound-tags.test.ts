import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { soundFormat } from "../../../shared/sound-format.ts";
import { box, word } from "../../../tests/support/boxes.ts";
import { amrVoicemail, openSoundEncoder, SOUNDS } from "../../../tests/support/encoded-sounds.ts";
import { soundRecorded } from "./sound-tags.ts";

let folder: string;
let encoder: Awaited<ReturnType<typeof openSoundEncoder>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-tags-"));
  encoder = await openSoundEncoder();
});
afterAll(async () => {
  await encoder.close();
  await rm(folder, { recursive: true, force: true });
});

/** Reads of a file in memory, counted. */
function reading(bytes: Buffer) {
  let reads = 0;
  let total = 0;
  const read = async (at: number, length: number) => {
    reads += 1;
    const part = bytes.subarray(Math.min(at, bytes.length), Math.min(at + length, bytes.length));
    total += part.length;
    return part;
  };
  return { read, cost: () => ({ reads, total }) };
}

async function recorded(bytes: Buffer, type: string) {
  const path = join(folder, "file");
  await writeFile(path, bytes);
  return soundRecorded(path, type);
}

test.each(SOUNDS)("$what is recognised by its content", async (recipe) => {
  const bytes = await encoder.encode(recipe);
  expect(await soundFormat(reading(bytes).read)).toBe(recipe.type);
  // Cut off, it is the same, or nothing that is known; no reading fails or runs on.
  for (const part of [0, 3, 11, 40, 200, bytes.length >> 1]) {
    const cut = reading(bytes.subarray(0, part));
    expect([recipe.type, undefined]).toContain(await soundFormat(cut.read));
    expect(cut.cost().reads).toBeLessThan(450);
    await expect(recorded(bytes.subarray(0, part), recipe.type)).resolves.not.toThrow();
  }
});

test("an AMR is recognised, and other files are not", async () => {
  expect(await soundFormat(reading(amrVoicemail(2)).read)).toBe("audio/amr");
  for (const text of [
    "",
    "#!/bin/sh",
    "<svg xmlns=",
    "%PDF-1.7",
    "RIFF\0\0\0\0WEBPVP8 ",
    "RIFF\0\0\0\0AVI LIST",
    "\xff\xd8\xff\xe0",
    "\xff\xfeH\0e\0l\0l\0o\0",
  ])
    expect(await soundFormat(reading(Buffer.from(text, "latin1")).read)).toBeUndefined();
});

test("files that refer to themselves or claim too much cost few reads", async () => {
  const hostile: [string, Buffer][] = [
    // Boxes, objects, elements, chunks and frames without a length, or with a huge one.
    ["audio/mp4", Buffer.concat([box("ftyp", "mp42", word(0)), ...Array.from({ length: 5000 }, () => box("free"))])],
    ["audio/mp4", Buffer.concat([box("ftyp", "mp42", word(0)), box("moov", Buffer.alloc(100_000))])],
    [
      "audio/mp4",
      Buffer.concat([box("ftyp", "mp42", word(0)), box("moov", ...Array.from({ length: 4000 }, () => box("trak")))]),
    ],
    [
      "audio/x-ms-wma",
      Buffer.concat([
        Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex"),
        Buffer.alloc(14, 0xff),
        Buffer.alloc(90_000),
      ]),
    ],
    ["audio/webm", Buffer.concat([Buffer.from("1a45dfa3ff", "hex"), Buffer.alloc(90_000, 0xff)])],
    ["audio/webm", Buffer.concat([Buffer.from("1a45dfa38018538067ff", "hex"), Buffer.alloc(90_000, 0x80)])],
    ["audio/mpeg", Buffer.concat([Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f"), Buffer.alloc(90_000, 0x41)])],
    [
      "audio/mpeg",
      Buffer.concat([Buffer.from("ID3\x04\0\0\0\x7f\x7f\x7f"), Buffer.from("TDRC\0\0\0\0\0\0".repeat(20_000))]),
    ],
    ["audio/wav", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), Buffer.from("LIST\0\0\0\0INFO".repeat(20_000))])],
    ["audio/wav", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), Buffer.from("id3 \0\0\0\0".repeat(20_000))])],
    ["audio/aiff", Buffer.concat([Buffer.from("FORM\0\0\0\0AIFF"), Buffer.alloc(90_000)])],
    ["audio/x-caf", Buffer.concat([Buffer.from("caff\0\x01\0\0"), Buffer.from("info"), Buffer.alloc(8, 0x7f)])],
    ["audio/x-caf", Buffer.concat([Buffer.from("caff\0\x01\0\0"), Buffer.alloc(240_000)])],
    ["audio/ogg", Buffer.from("OggS\0".padEnd(27, "\0").repeat(4000))],
    ["audio/flac", Buffer.concat([Buffer.from("fLaC"), Buffer.from("DATE=".repeat(20_000))])],
  ];
  for (const [type, bytes] of hostile) {
    const source = reading(bytes);
    await soundFormat(source.read);
    expect(source.cost().reads).toBeLessThan(450);
    expect(source.cost().total).toBeLessThan(2_000_000);
    expect(await recorded(bytes, type)).toBeUndefined();
  }
});

test("dates of older tags, of broadcasters and with zones are read, and others are not", async () => {
  const frame = (name: string, text: string) =>
    Buffer.concat([Buffer.from(name), word(text.length + 1), Buffer.from([0, 0, 0]), Buffer.from(text)]);
  const tag = (...frames: Buffer[]) => {
    const body = Buffer.concat(frames);
    return Buffer.concat([Buffer.from("ID3\x03\0\0\0\0"), Buffer.from([body.length >> 7, body.length & 127]), body]);
  };
  expect(await recorded(tag(frame("TYER", "1987"), frame("TDAT", "2412"), frame("TIME", "1830")), "audio/mpeg")).toBe(
    "1987-12-24T18:30:00",
  );
  expect(await recorded(tag(frame("TYER", "1987")), "audio/mpeg")).toBe("1987");
  expect(await recorded(tag(frame("TDRC", "2019-05-04T12:33:11+02:00")), "audio/mpeg")).toBe(
    "2019-05-04T12:33:11+02:00",
  );
  expect(await recorded(tag(frame("TDRC", "last summer")), "audio/mpeg")).toBeUndefined();
});
