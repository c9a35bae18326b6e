import { expect, test } from "vitest";
import { type DraftKey, keepDraft, readDraft } from "./drafts.ts";

const draftKey: DraftKey = { userId: "ada", memoryId: "m", mediaId: null, parentId: null };

function storage() {
  const values = new Map<string, string>();
  return {
    kept: values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test("each thread, photo, memory and person has a separate draft", () => {
  const store = storage();
  const places = [
    draftKey,
    { ...draftKey, parentId: "c" },
    { ...draftKey, mediaId: "p" },
    { ...draftKey, memoryId: "n" },
    { ...draftKey, userId: "bob" },
  ];
  for (const [index, one] of places.entries()) keepDraft(store, one, `draft ${index}`);
  expect(places.map((one) => readDraft(store, one))).toEqual(places.map((_, index) => `draft ${index}`));
});

test("a draft that was sent or emptied is removed from storage", () => {
  const store = storage();
  keepDraft(store, draftKey, "She sang");
  keepDraft(store, draftKey, " \n");
  expect([store.kept.size, readDraft(store, draftKey)]).toEqual([0, ""]);
});
