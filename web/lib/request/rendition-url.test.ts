import { expect, test } from "vitest";
import { downloadUrl, playableUrl, renditionSrcSet, renditionUrl } from "./rendition-url.ts";

const signed = "https://skies.example/storage/v1/object/sign/media/m1/p1.jpg?token=abc.def";

test("a rendition is opened by the very token of its original", () => {
  expect(renditionUrl(signed, 640)).toBe(
    "https://skies.example/storage/v1/render/image/sign/media/m1/p1.jpg?token=abc.def&width=640",
  );
});

test("a large photo is offered in every width", () => {
  expect(renditionSrcSet(signed, 4000).match(/ \d+w/g)).toEqual([" 320w", " 640w", " 960w", " 1600w", " 2560w"]);
});

test("a small photo is never offered larger than it is", () => {
  expect(renditionSrcSet(signed, 700).match(/width=\d+ \d+w/g)).toEqual([
    "width=320 320w",
    "width=640 640w",
    "width=960 700w",
  ]);
});

test("a download carries the name the photo came with", () => {
  expect(downloadUrl(signed, "Nonna & me.jpg")).toBe(`${signed}&download=Nonna+%26+me.jpg`);
});

test("the copy of a video that plays everywhere is opened by the very token of its original", () => {
  expect(playableUrl("https://skies.example/storage/v1/object/sign/media/m1/v1.mov?token=abc.def")).toBe(
    "https://skies.example/storage/v1/render/video/sign/media/m1/v1.mov?token=abc.def",
  );
});
