import { expect, test } from "vitest";
import { type DraftPlace, keepDraft, readDraft } from "./drafts.ts";

const place: DraftPlace = { userId: "ada", memoryId: "m", mediaId: null, parentId: null };

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("each thread, photo, memory and person has a draft of its own", () => {
  const store = storage();
  const places = [
    place,
    { ...place, parentId: "c" },
    { ...place, mediaId: "p" },
    { ...place, memoryId: "n" },
    { ...place, userId: "bob" },
  ];
  for (const [index, one] of places.entries()) keepDraft(store, one, `draft ${index}`);
  expect(places.map((one) => readDraft(store, one))).toEqual(places.map((_, index) => `draft ${index}`));
});

test("a draft that was sent or emptied leaves nothing behind", () => {
  const store = storage();
  keepDraft(store, place, "She sang");
  keepDraft(store, place, " \n");
  expect([store.kept.size, readDraft(store, place)]).toEqual([0, ""]);
});

test("a browser that keeps nothing stops nobody", () => {
  const refuse = () => {
    throw new Error("QuotaExceededError");
  };
  const closed = { getItem: refuse, setItem: refuse, removeItem: refuse };
  keepDraft(closed, place, "She sang");
  expect(readDraft(closed, place)).toBe("");
});
