import { describe, expect, test } from "vitest";
import { costBuckets } from "./cost-buckets.ts";

/** Buckets of 1000 ms a second and ten seconds of burst, with a clock that the test sets. */
function bucketsAt(size?: number) {
  let time = 0;
  const buckets = costBuckets({ perSecond: 1000, burst: 10_000 }, size, () => time);
  return { open: buckets.open, pass: (ms: number) => (time += ms) };
}

describe("credit", () => {
  test("is spent by cost, not by number", () => {
    const { open } = bucketsAt();
    const [light, heavy] = [open("light"), open("heavy")];
    for (let n = 0; n < 1000; n++) light.charge(2);
    for (let n = 0; n < 10; n++) heavy.charge(1001);
    expect(light.waitSeconds()).toBe(0);
    expect(heavy.waitSeconds()).toBeGreaterThan(0);
  });

  test("is refilled with time, at the announced moment", () => {
    const { open, pass } = bucketsAt();
    const bucket = open("ada");
    bucket.charge(13_000);
    expect(bucket.waitSeconds()).toBe(3);
    pass(3001);
    expect(bucket.waitSeconds()).toBe(0);
  });

  test.each([10_001, 10_900, 11_000, 13_000, 13_400, 19_999])(
    "ends after exactly the announced seconds, for %i ms of work beside a running statement and young requests",
    (cost) => {
      const { open, pass } = bucketsAt();
      const bucket = open("ada");
      bucket.beginRequest()(50);
      bucket.beginWork(() => 300);
      bucket.charge(cost);
      for (let n = 0; n < 5; n += 1) bucket.beginRequest();
      const seconds = bucket.waitSeconds();
      pass((seconds - 1) * 1000);
      expect(bucket.waitSeconds()).toBe(1);
      pass(1000);
      expect(bucket.waitSeconds()).toBe(0);
    },
  );

  test("stays between plus and minus the burst", () => {
    const { open, pass } = bucketsAt();
    const bucket = open("ada");
    pass(1_000_000);
    bucket.charge(1_000_000);
    expect(bucket.waitSeconds()).toBe(10);
  });

  test("is separate for each key", () => {
    const { open } = bucketsAt();
    open("hog").charge(20_000);
    expect(open("hog").waitSeconds()).toBeGreaterThan(0);
    expect(open("ada").waitSeconds()).toBe(0);
  });
});

describe("requests under way", () => {
  test("count with the typical cost of their key", () => {
    const { open } = bucketsAt();
    const [light, heavy] = [open("light"), open("heavy")];
    for (let n = 0; n < 100; n++) {
      light.beginRequest()(2);
      heavy.beginRequest()(1000);
    }
    for (let n = 0; n < 20; n++) {
      light.beginRequest();
      heavy.beginRequest();
    }
    expect(light.waitSeconds()).toBe(0);
    expect(heavy.waitSeconds()).toBeGreaterThan(0);
  });

  test("count with it for a second only, because after that they wait for something", () => {
    const { open, pass } = bucketsAt();
    const bucket = open("ada");
    for (let n = 0; n < 100; n++) bucket.beginRequest()(1000);
    for (let n = 0; n < 20; n++) bucket.beginRequest();
    expect(bucket.waitSeconds()).toBeGreaterThan(0);
    pass(1001);
    expect(bucket.waitSeconds()).toBe(0);
  });

  test("count for the work of their statements so far, and no longer when they have ended", () => {
    const { open, pass } = bucketsAt();
    const bucket = open("ada");
    let spent = 1999;
    const ends = Array.from({ length: 5 }, () => bucket.beginWork(() => spent));
    pass(60_000);
    expect(bucket.waitSeconds()).toBe(0);
    spent = 2001;
    expect(bucket.waitSeconds()).toBeGreaterThan(0);
    for (const end of ends) end();
    expect(bucket.waitSeconds()).toBe(0);
  });
});

test("the least recently used key is forgotten when there are too many", () => {
  const { open } = bucketsAt(2);
  open("old").charge(20_000);
  open("kept").charge(20_000);
  open("old");
  open("new");
  expect(open("old").waitSeconds()).toBeGreaterThan(0);
  open("new");
  expect(open("kept").waitSeconds()).toBe(0);
});
