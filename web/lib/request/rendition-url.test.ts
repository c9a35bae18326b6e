import { expect, test } from "vitest";
import { downloadUrl, playableUrl, renditionSrcSet, renditionUrl } from "./rendition-url.ts";

const signed = "https://skies.example/storage/v1/object/sign/media/m1/p1.jpg?token=abc.def";

test("a rendition's URL keeps the token of its original", () => {
  expect(renditionUrl(signed, 640)).toBe(
    "https://skies.example/storage/v1/render/image/sign/media/m1/p1.jpg?token=abc.def&width=640",
  );
});

test("a large photo has a URL for every width", () => {
  expect(renditionSrcSet(signed, 4000).match(/ \d+w/g)).toEqual([" 320w", " 640w", " 960w", " 1600w", " 2560w"]);
});

test("a small photo has no URL for a width above its own", () => {
  expect(renditionSrcSet(signed, 700).match(/width=\d+ \d+w/g)).toEqual([
    "width=320 320w",
    "width=640 640w",
    "width=960 700w",
  ]);
});

test("a download carries the name the photo came with", () => {
  expect(downloadUrl(signed, "Nonna & me.jpg")).toBe(`${signed}&download=Nonna+%26+me.jpg`);
});

test("the URL of a playback copy keeps the token of its original", () => {
  expect(playableUrl("https://skies.example/storage/v1/object/sign/media/m1/v1.mov?token=abc.def")).toBe(
    "https://skies.example/storage/v1/render/video/sign/media/m1/v1.mov?token=abc.def",
  );
});
