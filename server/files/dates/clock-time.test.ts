import { expect, test } from "vitest";
import { clockTime, withOffset } from "./clock-time.ts";

test.each<[unknown, string | undefined, "local" | "utc" | undefined]>([
  ["2019:05:04 23:59:58", "2019-05-04T23:59:58", undefined],
  ["2019:05:04 23:59", "2019-05-04T23:59:00", undefined],
  ["2019:05:04 23:59:58.123", "2019-05-04T23:59:58", undefined],
  ["2019-05-04T23:59:58.123Z", "2019-05-04T23:59:58", "utc"],
  ["2019-05-04T23:59:58+00:00", "2019-05-04T23:59:58", "utc"],
  ["2019-05-04T23:59:58+02:00", "2019-05-04T23:59:58", "local"],
  ["2019-05-04T23:59-05:00", "2019-05-04T23:59:00", "local"],
  ["2019:05:04 23:59:58-0330", "2019-05-04T23:59:58", "local"],
  ["1962:07:14", "1962-07-14", undefined],
  ["1962:07:00", "1962-07", undefined],
  ["1962:00:00", "1962", undefined],
  ["1962-07", "1962-07", undefined],
  ["1962", "1962", undefined],
  ["2010/05/06 07:08:09", "2010-05-06T07:08:09", undefined],
  ["2010.05.06 07.08.09", "2010-05-06T07:08:09", undefined],
  ["2010:05:06:07:08:09", "2010-05-06T07:08:09", undefined],
  ["2010-05-06-07-08-09", "2010-05-06T07:08:09", undefined],
  ["2010: 5: 6  7: 8: 9", "2010-05-06T07:08:09", undefined],
  ["2010年05月06日 07:08:09", "2010-05-06T07:08:09", undefined],
  ["2010:05:06 07:08:09 PM", "2010-05-06T19:08:09", undefined],
  ["2010:05:06 12:08:09 a.m.", "2010-05-06T00:08:09", undefined],
  ["2010:05:06 24:10:00", "2010-05-06T00:10:00", undefined],
  ["2010:05:06 25:10:00", "2010-05-06", undefined],
  ["2010:05:06 07:08:09\0", "2010-05-06T07:08:09", undefined],
  ["20100506", "2010-05-06", undefined],
  ["20100506070809", "2010-05-06T07:08:09", undefined],
  ["Sun, 14 Jul 2024 16:05:09 +0200", "2024-07-14T16:05:09", "local"],
  ["14 July 2024", "2024-07-14", undefined],
  ["Sat Dec 30 20:47:00 2023\n\0", "2023-12-30T20:47:00", undefined],
  ["2001/ 1/27  1:42PM", "2001-01-27T13:42:00", undefined],
  ["2005:08:17 11:42", "2005-08-17T11:42:00", undefined],
  ["0000:00:00 00:00:00", undefined, undefined],
  ["0001:01:01 00:00:00", undefined, undefined],
  ["2019:02:30 10:00:00", undefined, undefined],
  ["2019:13:01 10:00:00", undefined, undefined],
  ["    :  :     :  :  ", undefined, undefined],
  ["12345678901234567890", undefined, undefined],
  ["", undefined, undefined],
  [7, undefined, undefined],
  [undefined, undefined, undefined],
])("%j is %s (%s)", (text, at, zone) => {
  expect(clockTime(text)).toEqual(at && { at, ...(zone && { zone }) });
});

test("a local time keeps the offset beside it, and no other time has one", () => {
  const offsetOf = (text: string) => withOffset(text, clockTime(text) ?? { at: "" });
  expect(offsetOf("2019-05-04T23:59:58+0200")).toBe("2019-05-04T23:59:58+02:00");
  expect(offsetOf("2019-05-04T23:59:58Z")).toBe("2019-05-04T23:59:58");
  expect(offsetOf("2019:05:04 23:59:58")).toBe("2019-05-04T23:59:58");
});
