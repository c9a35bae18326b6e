import type { KeyValueStorage } from "../../lib/browser/storage.ts";
import type { Subject } from "./comment.ts";

/** The slot of a draft: its subject, and the comment that it answers (null: a new thread). */
export interface DraftKey extends Subject {
  userId: string;
  parentId: string | null;
}

const keyOf = ({ userId, memoryId, mediaId, parentId }: DraftKey) =>
  `skies-comment-${[userId, memoryId, mediaId ?? "", parentId ?? ""].join("/")}`;

/** The stored draft of a slot; empty for none. */
export const readDraft = (storage: KeyValueStorage, draftKey: DraftKey): string =>
  storage.getItem(keyOf(draftKey)) ?? "";

/** Stores the draft of a slot until it is sent; an empty one is deleted. */
export function keepDraft(storage: KeyValueStorage, draftKey: DraftKey, text: string): void {
  if (text.trim() === "") storage.removeItem(keyOf(draftKey));
  else storage.setItem(keyOf(draftKey), text);
}
