import { expect, test } from "vitest";
import { dismiss, isDismissed, storageNotice } from "./storage-notice.ts";

test.each([
  [75, undefined],
  [76, "near"],
  [90, "near"],
  [91, "full"],
  [99, "full"],
  [100, "over"],
  [250, "over"],
])("Spec §9: at %i%% the warning is %s", (percent, notice) => expect(storageNotice(percent, 100)).toBe(notice));

test("a dismissed notice stays hidden until the next level", () => {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  expect(isDismissed("near", storage)).toBe(false);
  dismiss("full", storage);
  expect(["near", "full", "over"].map((notice) => isDismissed(notice as "near", storage))).toEqual([true, true, false]);
});
