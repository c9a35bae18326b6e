import { expect, test } from "vitest";
import type { UploadState } from "./upload-entries.ts";
import { filesAtOnce, nextToSend } from "./upload-schedule.ts";

const MB = 1024 * 1024;
const photo = (name: string, state: UploadState = "waiting") => ({ name, size: 3 * MB, state });
const film = (name: string, state: UploadState = "waiting") => ({ name, size: 900 * MB, state });
const names = (files: { name: string }[]) => files.map(({ name }) => name);

test("files are sent in their order, up to the limit at once", () => {
  const files = [photo("a", "stored"), photo("b", "uploading"), photo("c"), photo("d"), photo("e")];
  expect(names(nextToSend(files, 3))).toEqual(["c", "d"]);
  expect(nextToSend(files, 1)).toEqual([]);
  expect(names(nextToSend([photo("a", "otherTab"), ...files], 3))).toEqual(["c"]);
});

test("photos do not wait for a large video, and large videos are sent one at a time", () => {
  expect(names(nextToSend([film("f"), film("g"), photo("a"), photo("b")], 3))).toEqual(["a", "b", "f"]);
  expect(names(nextToSend([film("f", "uploading"), film("g"), photo("a")], 3))).toEqual(["a"]);
});

test("on a slow network or with data saving, files are sent one at a time", () => {
  expect(filesAtOnce(undefined)).toBe(3);
  expect(filesAtOnce({ effectiveType: "4g" })).toBe(3);
  expect(filesAtOnce({ effectiveType: "slow-2g" })).toBe(1);
  expect(filesAtOnce({ effectiveType: "4g", saveData: true })).toBe(1);
});
