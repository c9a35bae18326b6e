import { expect, test } from "vitest";
import { FairQueue } from "./html-cleaner.ts";

test("owners take turns, whoever came first and however many tasks one of them adds", () => {
  const queue = new FairQueue<string>({ perOwner: 3, total: 10 });
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  queue.add("b", "b1");
  queue.add("c", "c1");
  expect(Array.from({ length: 6 }, () => queue.take())).toEqual(["a1", "b1", "c1", "a2", "a3", undefined]);
});

test("the waiting tasks of one owner and of all owners together are limited", () => {
  const queue = new FairQueue<number>({ perOwner: 2, total: 3 });
  expect([queue.add("a", 1), queue.add("a", 2), queue.add("a", 3)]).toEqual(["added", "added", "owner_full"]);
  expect([queue.add("b", 4), queue.add("c", 5)]).toEqual(["added", "full"]);
  queue.take();
  expect(queue.add("c", 5)).toBe("added");
});
