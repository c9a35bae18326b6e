import { describe, expect, test } from "vitest";
import { GIGABYTE, percentUsed, sizeText, storageLevel, storageLimit } from "./storage.ts";

test("Spec §9: the storage limit is storage_gb × 1024³ bytes", () => {
  expect(storageLimit(1)).toBe(1_073_741_824);
  expect(storageLimit(100)).toBe(107_374_182_400);
});

describe("Spec §4: the ring is blue up to 75%, amber above 75%, red above 90%", () => {
  const limit = storageLimit(500);
  test.each([
    [0, "calm"],
    [limit * 0.75, "calm"],
    [limit * 0.75 + 1, "near"],
    [limit * 0.9, "near"],
    [limit * 0.9 + 1, "full"],
    [limit, "full"],
    // After a plan has lapsed, the stored data may exceed the free plan's limit.
    [limit * 3, "full"],
  ] as const)("%i bytes are %s", (used, level) => expect(storageLevel(used, limit)).toBe(level));

  test.each([
    [0, "0%"],
    [1, "<1%"],
    [limit * 0.01, "1%"],
    [limit * 0.75, "75%"],
    [limit * 0.75 + 1, "76%"],
    [limit * 0.9, "90%"],
    [limit * 0.9 + 1, "91%"],
    [limit, "100%"],
    [limit * 1.5, "150%"],
  ])("%i bytes read as %s", (used, percent) => expect(percentUsed(used, limit)).toBe(percent));
});

describe("Spec §9: sizes display in B, KB, MB or GB", () => {
  test.each([
    [0, "0 B", "0 B"],
    [1023, "1,023 B", "1023 B"],
    [1024, "1 KB", "1 KB"],
    [1536, "1.5 KB", "1,5 KB"],
    [310 * 1024 ** 2 + 400_000, "310 MB", "310 MB"],
    [1024 ** 2 - 1, "1 MB", "1 MB"],
    [99.96 * 1024 ** 2, "100 MB", "100 MB"],
    [GIGABYTE - 1, "1 GB", "1 GB"],
    [1.25 * GIGABYTE, "1.3 GB", "1,3 GB"],
    [100 * GIGABYTE, "100 GB", "100 GB"],
    [2048 * GIGABYTE, "2,048 GB", "2048 GB"],
    [12_345 * GIGABYTE, "12,345 GB", "12.345 GB"],
    [1_234_567 * GIGABYTE, "1,234,567 GB", "1.234.567 GB"],
  ])("%d bytes are %s, in Italian %s", (bytes, english, italian) => {
    expect(sizeText(bytes, "en-GB")).toBe(english.replace(" ", "\u00a0"));
    expect(sizeText(bytes, "it")).toBe(italian.replace(" ", "\u00a0"));
  });
});
