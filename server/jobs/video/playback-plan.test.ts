import { describe, expect, test } from "vitest";
import { readingArguments } from "./ffmpeg.ts";
import { copyArguments, type Plan, planFor } from "./playback-plan.ts";
import type { Probe } from "./probe.ts";

const plain: Probe = {
  picture: { codec_name: "h264", width: 1920, height: 1080, pix_fmt: "yuv420p" },
  sound: { codec_name: "aac" },
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
    ["held upright needs none either", "video/mp4", picture({ width: 1080, height: 1920 }), "unneeded"],
    ["without sound needs none", "video/mp4", { ...plain, sound: undefined }, "unneeded"],
    ["in another container is only packed anew", "video/quicktime", plain, { picture: "copy", sound: "copy" }],
    [
      "with uncompressed sound keeps its pictures",
      "video/mp4",
      { ...plain, sound: { codec_name: "pcm_s16le" } },
      { picture: "copy", sound: "encode" },
    ],
    ["of a new telephone", "video/mp4", picture({ codec_name: "hevc" }), { picture: "encode", sound: "copy" }],
    [
      "of a new telephone in bright light",
      "video/quicktime",
      picture({ codec_name: "hevc", pix_fmt: "yuv420p10le", color_transfer: "arib-std-b67" }),
      { picture: "encode from HDR", sound: "copy" },
    ],
    [
      "larger than every screen",
      "video/mp4",
      picture({ width: 3840, height: 2160 }),
      { picture: "encode", sound: "copy" },
    ],
    ["too heavy for a line", "video/mp4", { ...plain, bitRate: 50_000_000 }, { picture: "encode", sound: "copy" }],
    [
      "in more colours than players know",
      "video/mp4",
      picture({ pix_fmt: "yuv422p" }),
      { picture: "encode", sound: "copy" },
    ],
    ["without pictures is none", "video/mp4", { ...plain, picture: undefined }, undefined],
  ])("%s", (_what, type, probe, expected) => {
    expect(planFor(type, probe, true)).toEqual(expected);
  });

  test("whose streams could not be copied is packed anew", () => {
    expect(planFor("video/mp4", plain, false)).toEqual({ picture: "copy", sound: "copy" });
  });
});

test("the program is told which container it reads, and opens nothing but files", () => {
  const args = copyArguments(
    { picture: "encode", sound: "none" },
    readingArguments("/data/a", "video/quicktime"),
    "/b",
  );
  expect(args.join(" ")).toContain("-protocol_whitelist file -f mov -i file:/data/a");
  expect(args.filter((arg) => arg === "-i")).toHaveLength(1);
  expect(args.at(-1)).toBe("file:/b");
});
