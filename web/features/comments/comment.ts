import type { Row } from "../../../shared/database.ts";

/** A comment on a memory or one of its photos. */
export type Comment = Pick<
  Row<"comments">,
  | "id"
  | "memory_id"
  | "media_id"
  | "parent_id"
  | "guest_id"
  | "body"
  | "moderation"
  | "created_at"
  | "edited_at"
  | "deleted_at"
  | "revision"
> & {
  /** The author's account. Null without one, or if the reader has none and is not told. */
  user_id: string | null;
  /** The accounts of members whom it mentions; empty for readers without an account. */
  mentions: string[];
  /** Empty if unsigned, or if the reader may not see names. */
  author_name: string;
  /** The name of the author's picture in the bucket `avatars`; null if the reader may not see it. */
  picture: string | null;
};

export const KINDS = ["heart", "flower", "hug", "smile"] as const;
export type Kind = "candle" | (typeof KINDS)[number];

/** A reaction to a memory, photo or comment. */
export type Reaction = Pick<
  Row<"reactions">,
  "id" | "memory_id" | "media_id" | "comment_id" | "guest_id" | "kind" | "created_at"
> & {
  /** As of a comment. */
  user_id: string | null;
  /** The author's name, empty in the same cases as `author_name` of a comment. */
  name: string;
};

/** The subject of a conversation: a memory, or one of its photos. */
export interface Subject {
  memoryId: string;
  mediaId: string | null;
}

/** Whether this person is the author of a comment or reaction. */
export const isBy = (one: Pick<Comment, "user_id" | "guest_id">, id: string | undefined) =>
  id !== undefined && (one.user_id ?? one.guest_id) === id;

export const LONGEST = 5000;

/** The number of characters, counted as on the server. */
export const lengthOf = (text: string) => [...text].length;
