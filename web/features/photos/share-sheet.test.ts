import { expect, test } from "vitest";
import { sharedName } from "./share-sheet.ts";

test.each([
  ["IMG_0001.HEIC", "image/jpeg", [], "IMG_0001.jpg"],
  ["IMG_0001.JPG", "image/jpeg", [], "IMG_0001.JPG"],
  ["Nonna.jpeg", "image/jpeg", [], "Nonna.jpeg"],
  ["image", "image/jpeg", ["image.jpg"], "image 2.jpg"],
  ["image", "image/jpeg", ["image.jpg", "image 2.jpg"], "image 3.jpg"],
  ["12.5.1998 Rimini", "image/png", [], "12.5.1998 Rimini.png"],
  ["scan.dng", "image/x-adobe-dng", ["scan.dng"], "scan 2.dng"],
])("a shared file %s of type %s beside %j is called %s", (name, type, taken, called) => {
  expect(sharedName(name, type, taken)).toBe(called);
});
