import { describe, expect, test } from "vitest";
import { readingArguments } from "./ffmpeg.ts";
import { copyArguments, type Plan, planFor } from "./playback-plan.ts";
import type { Probe } from "./probe.ts";

const plain: Probe = {
  picture: { codec_name: "h264", width: 1920, height: 1080, pix_fmt: "yuv420p" },
  sounds: [{ codec_name: "aac", index: 0, channels: 2 }],
  hasUnknownSound: false,
  edits: [],
  isTurned: false,
  duration: 10,
  bitRate: 8_000_000,
};
const picture = (changes: Partial<NonNullable<Probe["picture"]>>): Probe => ({
  ...plain,
  picture: { ...plain.picture, ...changes },
});

describe("a video", () => {
  test.each<[string, string, Probe, Plan | undefined]>([
    ["that plays everywhere as it is needs no copy", "video/mp4", plain, "unneeded"],
    ["that is upright needs no copy", "video/mp4", picture({ width: 1080, height: 1920 }), "unneeded"],
    ["without sound needs no copy", "video/mp4", { ...plain, sounds: [] }, "unneeded"],
    ["in another container is only repackaged", "video/quicktime", plain, { picture: "copy", sound: "copy" }],
    [
      "with uncompressed sound keeps its pictures",
      "video/mp4",
      { ...plain, sounds: [{ codec_name: "pcm_s16le", index: 0, channels: 2 }] },
      { picture: "copy", sound: "encode" },
    ],
    ["in HEVC is encoded", "video/mp4", picture({ codec_name: "hevc" }), { picture: "encode", sound: "copy" }],
    [
      "in HDR is encoded from HDR",
      "video/quicktime",
      picture({ codec_name: "hevc", pix_fmt: "yuv420p10le", color_transfer: "arib-std-b67" }),
      { picture: "encode from HDR", sound: "copy" },
    ],
    ["in 4K is encoded", "video/mp4", picture({ width: 3840, height: 2160 }), { picture: "encode", sound: "copy" }],
    [
      "with a high bit rate is encoded",
      "video/mp4",
      { ...plain, bitRate: 50_000_000 },
      { picture: "encode", sound: "copy" },
    ],
    [
      "in a pixel format that players do not support is encoded",
      "video/mp4",
      picture({ pix_fmt: "yuv422p" }),
      { picture: "encode", sound: "copy" },
    ],
    ["without pictures has no plan", "video/mp4", { ...plain, picture: undefined }, undefined],
  ])("%s", (_what, type, probe, expected) => {
    expect(planFor(type, probe, true)).toEqual(expected);
  });

  test("whose streams could not be copied is repackaged", () => {
    expect(planFor("video/mp4", plain, false)).toEqual({ picture: "copy", sound: "copy" });
  });
});

test("ffmpeg is given the container of its input, and may open files only", () => {
  const args = copyArguments(
    {
      plan: { picture: "encode", sound: "none" },
      reading: readingArguments("/data/a", "video/quicktime"),
      facts: { ...plain, sounds: [] },
    },
    "/b",
  );
  expect(args.join(" ")).toContain("-protocol_whitelist file -f mov -i file:/data/a");
  expect(args.filter((arg) => arg === "-i")).toHaveLength(1);
  expect(args.at(-1)).toBe("file:/b");
});
