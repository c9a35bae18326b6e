import { expect, test } from "vitest";
import { mediaInAddress } from "./RichEditor.tsx";

const id = "a0000000-0000-4000-8000-000000000001";
const here = "https://skies.example";

test.each<[string, string | undefined]>([
  [`${here}/memory/x?photo=${id}`, id],
  [`# a photo\r\n${here}/memory/x?photo=${id}\r\n`, id],
  [`https://elsewhere.example/memory/x?photo=${id}`, undefined],
  [`${here}/memory/x?photo=1`, undefined],
  [`${here}/memory/x`, undefined],
  ["", undefined],
])("%j names %s", (address, expected) => {
  expect(mediaInAddress(address, here)).toBe(expected);
});
