import type { Subject } from "./comment.ts";

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Where a comment is being written: under what, and in answer to what (null: a new thread). */
export interface DraftPlace extends Subject {
  userId: string;
  parentId: string | null;
}

const keyOf = ({ userId, memoryId, mediaId, parentId }: DraftPlace) =>
  `skies-comment-${[userId, memoryId, mediaId ?? "", parentId ?? ""].join("/")}`;

/** What was written there before and not sent; empty for nothing. */
export function readDraft(storage: DraftStorage, place: DraftPlace): string {
  try {
    return storage.getItem(keyOf(place)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps what is being written there until it is sent; nothing written keeps nothing. */
export function keepDraft(storage: DraftStorage, place: DraftPlace, text: string): void {
  try {
    if (text.trim() === "") storage.removeItem(keyOf(place));
    else storage.setItem(keyOf(place), text);
  } catch {
    // Storage is full or forbidden: then a reload loses it.
  }
}
