import type { Subject } from "./comment.ts";

type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Where a comment is being written: under what, and in answer to what (null: a new thread). */
export interface DraftKey extends Subject {
  userId: string;
  parentId: string | null;
}

const keyOf = ({ userId, memoryId, mediaId, parentId }: DraftKey) =>
  `skies-comment-${[userId, memoryId, mediaId ?? "", parentId ?? ""].join("/")}`;

/** What was written there before and not sent; empty for nothing. */
export function readDraft(storage: DraftStorage, draftKey: DraftKey): string {
  try {
    return storage.getItem(keyOf(draftKey)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps what is being written there until it is sent; nothing written keeps nothing. */
export function keepDraft(storage: DraftStorage, draftKey: DraftKey, text: string): void {
  try {
    if (text.trim() === "") storage.removeItem(keyOf(draftKey));
    else storage.setItem(keyOf(draftKey), text);
  } catch {
    // Storage is full or forbidden: then a reload loses it.
  }
}
