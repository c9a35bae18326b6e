import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CUTS, withEdits } from "../../../tests/support/edit-lists.ts";
import { openEncoder } from "../../../tests/support/encoded-videos.ts";
import { LONG, sampled } from "../../../tests/support/long-tests.ts";
import { copyStreams } from "../../files/videos/copy-streams.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { readingArguments } from "./ffmpeg.ts";
import { writePlayable } from "./make-playable.ts";
import { planFor } from "./playback-plan.ts";
import { writePoster } from "./poster.ts";
import { probe, uprightSize } from "./probe.ts";

const encoder = await openEncoder();
const { ffmpeg } = encoder;
const signal = new AbortController().signal;
let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-prepared-"));
});
afterAll(async () => {
  await encoder.close();
  await rm(folder, { recursive: true, force: true });
});

const exec = promisify(execFile);
const path = (ending: string) => {
  count += 1;
  return join(folder, `${count}.${ending}`);
};
const draw = async (args: string[]) =>
  (await exec(ffmpeg.ffmpeg, ["-v", "error", "-y", ...args], { encoding: "buffer", maxBuffer: 2 ** 28 })).stdout;

async function encoded(ending: string, inputs: string[], options: string[]): Promise<string> {
  const file = path(ending);
  await draw([...inputs.flatMap((input) => ["-f", "lavfi", "-i", input]), ...options, file]);
  return file;
}

const typeOf = (file: string) =>
  ({ mov: "video/quicktime", mp4: "video/mp4", ts: "video/mp2t", avi: "video/vnd.avi", mkv: "video/matroska" })[
    file.split(".").at(-1) ?? ""
  ] ?? "";

async function streamsOf(file: string): Promise<string | undefined> {
  const copy = path("mp4");
  return copyStreams(file, copy).then(
    () => copy,
    (error: unknown) => {
      if (error instanceof UnreadableVideoError) return undefined;
      throw error;
    },
  );
}

async function playableOf(file: string): Promise<string> {
  const [type, part] = [typeOf(file), path("mp4")];
  const facts = await probe(ffmpeg, file, type, signal);
  const plan = planFor(type, facts, false);
  if (!plan || plan === "unneeded") throw new Error("A video without streams needs a copy");
  await writePlayable(ffmpeg, { path: file, type, facts, plan, part }, { signal, onProgress: () => {} });
  return part;
}

const COLOURS = ["red", "lime", "blue"] as const;
const TONES = [440, 880, 1760];

/** Three seconds: red, green and blue, with a tone that rises by an octave each second. */
async function film(options: string[] = []): Promise<Buffer> {
  const inputs = [
    ...COLOURS.map((colour) => `color=${colour}:s=32x32:r=20:d=1`),
    ...TONES.map((tone) => `sine=f=${tone}:d=1:r=48000`),
  ];
  const graph = "[0][1][2]concat=n=3:v=1:a=0[v];[3][4][5]concat=n=3:v=0:a=1[a]";
  const streams = ["-filter_complex", graph, "-map", "[v]", "-map", "[a]", "-c:a", "aac", "-pix_fmt", "yuv420p"];
  const pictures = [
    "-c:v",
    "libx264",
    "-g",
    "20",
    "-bf",
    "2",
    "-preset",
    "ultrafast",
    "-x264-params",
    "bframes=2:scenecut=0",
  ];
  return readFile(await encoded("mp4", inputs, [...streams, ...pictures, ...options]));
}

async function seen(file: string, ...reading: string[]): Promise<string> {
  const pixels = await draw([
    ...reading,
    "-i",
    file,
    "-an",
    "-vf",
    "fps=5,scale=1:1",
    "-f",
    "rawvideo",
    "-pix_fmt",
    "rgb24",
    "-",
  ]);
  const letters: string[] = [];
  for (let at = 0; at + 3 <= pixels.length; at += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
    letters.push(r > 128 ? "R" : g > 128 ? "G" : b > 128 ? "B" : "-");
  }
  return letters.join("");
}

/** The tones of a video, five each second: `aaaaabbbbb`, with `-` for silence. */
async function heard(file: string, ...reading: string[]): Promise<string> {
  const sound = await draw([
    ...reading,
    "-i",
    file,
    "-vn",
    "-af",
    "aresample=async=1:first_pts=0",
    "-ac",
    "1",
    "-ar",
    "8000",
    "-f",
    "s16le",
    "-",
  ]);
  const letters: string[] = [];
  for (let at = 0; at + 3200 <= sound.length; at += 3200) {
    let [crossings, loud] = [0, 0];
    for (let i = at + 2; i < at + 3200; i += 2) {
      const [before, now] = [sound.readInt16LE(i - 2), sound.readInt16LE(i)];
      if (before < 0 !== now < 0) crossings += 1;
      loud = Math.max(loud, Math.abs(now));
    }
    const tone = (crossings / 2) * 5;
    letters.push(loud < 300 ? "-" : tone < 620 ? "a" : tone < 1250 ? "b" : "c");
  }
  return letters.join("");
}

const runs = (letters: string) => [...letters.matchAll(/(.)\1+/g)].map(([run, letter]) => [letter, run.length / 5]);
const near = (seconds: number) => expect.closeTo(seconds, 0);

describe("what a person cut off a video is in nobody else's copy", () => {
  test.each(sampled(CUTS, 2))("%s", async (_what, edits, colours, tones, canCopy) => {
    const file = path("mp4");
    await writeFile(file, withEdits(await film(), edits));
    const seconds = Math.max(...Object.values(edits).map((list) => list.reduce((sum, [length]) => sum + length, 0)));
    const facts = await probe(ffmpeg, file, "video/mp4", signal);
    expect(facts.duration).toBeCloseTo(seconds, 1);
    const streams = await streamsOf(file);
    expect(streams !== undefined).toBe(canCopy);
    for (const copy of [...(streams ? [streams] : []), await playableOf(file)]) {
      const expected = (parts: [string, number][]) => parts.map(([letter, length]) => [letter, near(length)]);
      expect(runs(await seen(copy))).toEqual(expected(colours));
      expect(runs(await heard(copy))).toEqual(expected(tones));
      const letters = new Set([...colours, ...tones].map(([letter]) => letter));
      const all = [...(await seen(copy, "-ignore_editlist", "1")), ...(await heard(copy, "-ignore_editlist", "1"))];
      expect(all.filter((letter) => letter !== "-" && !letters.has(letter)).length).toBeLessThan(2);
      const { duration } = await encoder.describe(await readFile(copy));
      expect(Math.abs(duration - seconds)).toBeLessThan(0.15);
    }
  });

  test("ordinary videos are still copied packet by packet, with their lists of a phone", async () => {
    const file = path("mp4");
    const original = await film();
    await writeFile(file, original);
    const facts = await probe(ffmpeg, file, "video/mp4", signal);
    const streams = await streamsOf(file);
    const [before, after] = await Promise.all([
      encoder.describe(original),
      encoder.describe(await readFile(streams ?? "")),
    ]);
    expect([after.pictures, after.sounds]).toEqual([before.pictures, before.sounds]);
    expect(planFor("video/mp4", facts, true)).toBe("unneeded");
  });
});

/** A poster of a video, as red, green and blue at points of its width. */
async function posterOf(file: string, points: number): Promise<number[][]> {
  const facts = await probe(ffmpeg, file, typeOf(file), signal);
  const [reading, poster] = [readingArguments(file, typeOf(file)), path("jpg")];
  await writePoster(ffmpeg, { reading, facts, part: poster, signal });
  return pixelsOf(poster, points);
}

async function pixelsOf(file: string, points: number): Promise<number[][]> {
  const filter = `scale=in_color_matrix=auto:out_color_matrix=auto,format=rgb24,scale=${points}:1:flags=area`;
  const pixels = await draw(["-i", file, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", "-"]);
  return Array.from({ length: points }, (_, at) => [...pixels.subarray(at * 3, at * 3 + 3)]);
}

test("a poster shows nothing that was cut off", async () => {
  const file = path("mp4");
  await writeFile(file, withEdits(await film(), { vide: [[1, 2]], soun: [[1, 2]] }));
  const [[red = 255, green = 255, blue = 0] = []] = await posterOf(file, 1);
  expect([red < 60, green < 60, blue > 200]).toEqual([true, true, true]);
});

describe("HDR becomes SDR in which white is white", () => {
  // Black, 75% and white of SDR, as 10-bit signals: white is 203 cd/m² in PQ, and 100 in HLG.
  const signals = [
    ["HDR10", "smpte2084", [64, 510, 573], 573],
    ["HDR10 with lights brighter than white", "smpte2084", [64, 510, 573], 800],
    ["HLG, as of Dolby Vision 8.4", "arib-std-b67", [64, 498, 616], 616],
  ] as const;
  test.each(sampled(signals, 2))("%s", async (_name, transfer, levels, light) => {
    const patches = `if(lt(X,64),${levels[0]},if(lt(X,128),${levels[1]},if(lt(X,190),${levels[2]},${light})))`;
    const source = `color=black:s=192x48:r=10:d=1,format=yuv420p10le,geq=lum='${patches}':cb=512:cr=512`;
    const tags = [
      "-color_trc",
      transfer,
      "-colorspace",
      "bt2020nc",
      "-color_primaries",
      "bt2020",
      "-color_range",
      "tv",
    ];
    const codec = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1"];
    const file = await encoded("mov", [source], [...tags, ...codec]);
    for (const pixels of [await pixelsOf(await playableOf(file), 12), await posterOf(file, 12)]) {
      for (const [at, expected] of [
        [1, 0],
        [6, 191],
        [9, 255],
      ] as const) {
        for (const value of pixels[at] ?? [])
          expect(Math.abs(value - expected)).toBeLessThan(light > levels[2] ? 12 : 7);
      }
    }
  });
});

describe("the sound of a copy", () => {
  const picture = "color=black:s=32x32:r=10:d=1";
  async function levelOf(file: string): Promise<number> {
    const sound = await draw(["-i", file, "-vn", "-af", "pan=mono|c0=c0", "-ar", "48000", "-f", "f32le", "-"]);
    const samples = new Float32Array(sound.buffer.slice(sound.byteOffset, sound.byteOffset + (sound.length & ~3)));
    const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
    return 10 * Math.log10(middle.reduce((sum, value) => sum + value * value, 0) / middle.length);
  }

  test.each([
    ["one channel of PCM", "mov", "sine=f=440:d=1", ["-c:a", "pcm_s16le"], -21],
    ["six channels of AC-3", "ts", "aevalsrc=0.125*sin(2*PI*440*t)|0|0|0|0|0:c=5.1:d=1:s=48000", ["-c:a", "ac3"], -21],
    [
      "six channels of PCM",
      "mov",
      "aevalsrc=0.125*sin(2*PI*440*t)|0|0|0|0|0:c=5.1:d=1:s=48000",
      ["-c:a", "pcm_s24le"],
      -21,
    ],
  ] as const)("is as loud as the original's: %s", async (_name, ending, source, codec, decibels) => {
    const file = await encoded(ending, [picture, source], ["-c:v", "libx264", "-pix_fmt", "yuv420p", ...codec]);
    const copy = await playableOf(file);
    expect((await encoder.describe(await readFile(copy))).sounds[0]?.[0]).toBe("aac");
    expect(Math.abs((await levelOf(copy)) - decibels)).toBeLessThan(1);
  });

  test.runIf(LONG)("has every language, and otherwise the first track that can be decoded", async () => {
    const sounds = ["sine=f=440:d=1", "sine=f=880:d=1"];
    const maps = ["-map", "0:v", "-map", "1:a", "-map", "2:a", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"];
    const languages = ["-metadata:s:a:0", "language=ita", "-metadata:s:a:1", "language=ger"];
    const spoken = await encoded("mp4", [picture, ...sounds], [...maps, ...languages]);
    for (const copy of [await playableOf(spoken), (await streamsOf(spoken)) ?? ""]) {
      const { sounds: both } = await probe(ffmpeg, copy, "video/mp4", signal);
      expect(both.map(({ tags }) => tags?.language)).toEqual(["ita", "ger"]);
    }

    const unknown = await readFile(await encoded("mov", [picture, ...sounds], maps));
    // The first track names its codec in four places, and ffmpeg believes any of them.
    for (const name of ["mp4a", "mp4a", "mp4a", "esds"]) unknown.write("zzzz", unknown.indexOf(name), "latin1");
    const file = path("mov");
    await writeFile(file, unknown);
    const facts = await probe(ffmpeg, file, "video/quicktime", signal);
    expect([facts.sounds.map(({ index }) => index), facts.hasUnknownSound]).toEqual([[1], true]);
    expect(planFor("video/mp4", facts, true)).not.toBe("unneeded");
    expect((await heard(await playableOf(file))).slice(0, 4)).toBe("bbbb");
    const streams = await streamsOf(file);
    expect((await heard(streams ?? "")).slice(0, 4)).toBe("bbbb");
  });
});

test("a camcorder's picture has its shape, and no combs", async () => {
  const bars = "testsrc2=s=720x576:r=50:d=0.4,tinterlace=interleave_top,setsar=64/45";
  const codec = ["-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-b:v", "8M", "-pix_fmt", "yuv420p", "-top", "1"];
  const file = await encoded("ts", [bars], codec);
  const facts = await probe(ffmpeg, file, "video/mp2t", signal);
  expect([facts.picture?.field_order, uprightSize(facts)]).toEqual(["tt", { width: 1024, height: 576 }]);
  const copy = await probe(ffmpeg, await playableOf(file), "video/mp4", signal);
  expect(copy.picture).toMatchObject({ width: 1024, height: 576, field_order: "progressive" });
});
