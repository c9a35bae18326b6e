import sharp from "sharp";
import { expect, test } from "vitest";
import { clockTime, takenAt } from "./portrait.ts";

test("a photo's date is the camera's own clock", async () => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .withExif({ IFD2: { DateTimeOriginal: "2019:05:04 23:59:58" } })
    .jpeg()
    .toBuffer();
  expect(await takenAt(photo)).toBe("2019-05-04 23:59:58");
});

test.each([
  "0000:00:00 00:00:00",
  "2019:02:30 10:00:00",
  "2019:13:01 10:00:00",
  "    :  :     :  :  ",
  "",
  7,
  undefined,
])("%j is no moment", (text) => {
  expect(clockTime(text)).toBeNull();
});

test("bytes without a date have none", async () => {
  expect(await takenAt(Buffer.from("not a photo"))).toBeNull();
});
