import { describe, expect, test } from "vitest";
import type { Photo } from "../../../data/photo.ts";
import { prints, sidesInOrder } from "./sides.ts";

const photo = (id: string, differences: Partial<Photo> = {}) =>
  ({ id, type: "image", pages: null, state: "ready", has_back: false, has_raw: false, ...differences }) as Photo;

describe("photos are paired in their order", () => {
  test("front, back, front, back", () => {
    const photos = ["a", "b", "c", "d"].map((id) => photo(id));
    expect(sidesInOrder(photos)).toEqual({ fronts: ["a", "c"], backs: ["b", "d"] });
  });

  test.each([
    ["none", []],
    ["an odd number", [photo("a"), photo("b"), photo("c")]],
    ["a print", [photo("a"), photo("b", { has_back: true })]],
    ["a photo with a raw photo", [photo("a", { has_raw: true }), photo("b")]],
    ["a photo that is being read", [photo("a"), photo("b", { state: "waiting" })]],
    ["a paper", [photo("a"), photo("b", { pages: 1 })]],
    ["a video", [photo("a", { type: "video" }), photo("b")]],
  ])("but not %s", (_what, photos) => {
    expect(sidesInOrder(photos)).toBeUndefined();
  });
});

test("only prints are swapped and separated", () => {
  const both = [photo("a", { has_back: true }), photo("b", { has_back: true })];
  expect([prints(both), prints([...both, photo("c")]), prints([])]).toEqual([["a", "b"], undefined, undefined]);
});
