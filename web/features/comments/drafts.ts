import type { KeyValueStorage } from "../../lib/browser/storage.ts";
import type { Subject } from "./comment.ts";

/** Where a comment is being written: under what, and in answer to what (null: a new thread). */
export interface DraftKey extends Subject {
  userId: string;
  parentId: string | null;
}

const keyOf = ({ userId, memoryId, mediaId, parentId }: DraftKey) =>
  `skies-comment-${[userId, memoryId, mediaId ?? "", parentId ?? ""].join("/")}`;

/** What was written there before and not sent; empty for nothing. */
export const readDraft = (storage: KeyValueStorage, draftKey: DraftKey): string =>
  storage.getItem(keyOf(draftKey)) ?? "";

/** Keeps what is being written there until it is sent; nothing written keeps nothing. */
export function keepDraft(storage: KeyValueStorage, draftKey: DraftKey, text: string): void {
  if (text.trim() === "") storage.removeItem(keyOf(draftKey));
  else storage.setItem(keyOf(draftKey), text);
}
